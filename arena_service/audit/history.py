"""The rounds of an event as its format sees them, from the lines of an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena_service.audit.books import DISQUALIFIED, Book, Leg
from arena_service.formats.format import Departure, Encounter, Field, Group, Round
from arena_service.formats.meeting import Meeting
from arena_service.ratings.sprt import Sprt


def field_of(book: Book) -> Field:
    """Who plays, and on what terms."""
    seeded = sorted((e.seed, e.bot_version) for e in book.entrants.values() if e.seed is not None)
    return Field(
        entrants=tuple(sorted(book.entrants)),
        seats=book.event.seats,
        rounds=book.event.rounds,
        seeding=tuple(version for _, version in seeded),
        challengers=frozenset(e.bot_version for e in book.entrants.values() if e.challenger),
        departures=tuple(
            Departure(each.bot_version, each.round, each.departed == DISQUALIFIED)
            for each in book.departures
        ),
        pairs=book.event.pairs,
        sprt=sprt_of(book),
    )


def sprt_of(book: Book) -> Sprt | None:
    """The stopping rule of a test; raises ValueError for values that make none."""
    rule = book.event.settings.sprt
    return None if rule is None else Sprt(rule.elo0, rule.elo1, rule.alpha, rule.beta)


def history(book: Book) -> list[Round]:
    """Every round in its order with what was played; annulled results are in it."""
    return [
        Round(tuple(_encounters(book, number)), tuple(planned.byes), planned.pairs)
        for number, planned in sorted(book.rounds.items())
    ]


def group_of(book: Book, pair: int) -> Group:
    """Who sits where in leg 0; empty when that is missing."""
    first = book.legs[pair].get(0)
    return first.versions if first else ()


def _encounters(book: Book, number: int) -> Iterator[Encounter]:
    """Of a sound book: every leg of a pair has the same players."""
    met: dict[frozenset[str], Meeting] = {}
    for pair, planned in sorted(book.pairs.items()):
        group = group_of(book, pair)
        if planned.round == number and group:
            found = met.setdefault(frozenset(group), Meeting(group))
            legs = [leg for _, leg in sorted(book.legs[pair].items())]
            found.whole = found.whole and all(leg.result is not None for leg in legs)
            credited = [by_version for leg in legs if (by_version := _credits(leg))]
            if len(credited) == planned.legs:
                found.add(credited)
    for each in met.values():
        yield each.encounter()


def _credits(leg: Leg) -> Mapping[str, float]:
    """By version; empty where nothing counts."""
    if leg.result is None or leg.result.credits is None:
        return {}
    return dict(zip(leg.versions, leg.result.credits, strict=False))
