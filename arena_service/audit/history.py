"""The rounds of an event as its format sees them, from the lines of an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena_service.audit.books import Book, Leg
from arena_service.formats.format import Departure, Encounter, Field, Group, Round


@dataclass
class _Met:
    """What one group did in one round; credits by version."""

    credits: dict[str, float]
    pairs: int = 0
    whole: bool = True
    legs: list[Leg] = field(default_factory=list)


def field_of(book: Book) -> Field:
    """Who plays, and on what terms."""
    seeded = sorted((e.seed, e.bot_version) for e in book.entrants.values() if e.seed is not None)
    return Field(
        entrants=tuple(sorted(book.entrants)),
        seats=book.event.seats,
        rounds=max(book.event.rounds, len(book.rounds)),
        seeding=tuple(version for _, version in seeded),
        challengers=frozenset(e.bot_version for e in book.entrants.values() if e.challenger),
        departures=tuple(
            Departure(each.bot_version, each.round, each.departed == "disqualified")
            for each in book.departures
        ),
    )


def history(book: Book) -> list[Round]:
    """Every round in its order with what was played; annulled results are in it."""
    return [
        Round(tuple(_encounters(book, number)), tuple(planned.byes))
        for number, planned in sorted(book.rounds.items())
    ]


def group_of(book: Book, pair: int) -> Group:
    """Who sits where in leg 0; empty when that is missing."""
    first = book.legs[pair].get(0)
    return first.versions if first else ()


def _encounters(book: Book, number: int) -> Iterator[Encounter]:
    met: dict[Group, _Met] = {}
    for pair, planned in sorted(book.pairs.items()):
        group = group_of(book, pair)
        if planned.round == number and group:
            found = met.setdefault(group, _Met(dict.fromkeys(group, 0.0)))
            _count(found, list(book.legs[pair].values()), planned.legs)
    for group, found in met.items():
        credits = tuple(found.credits[version] for version in group)
        yield Encounter(group, credits, found.pairs, found.whole)


def _count(met: _Met, legs: Sequence[Leg], size: int) -> None:
    met.whole = met.whole and all(leg.result is not None for leg in legs)
    credited = [_credits(leg) for leg in legs]
    if len([each for each in credited if each]) == size:
        met.pairs += 1
        for each in credited:
            for version, credit in each.items():
                met.credits[version] = met.credits.get(version, 0.0) + credit


def _credits(leg: Leg) -> Mapping[str, float]:
    """By version; empty where nothing counts."""
    if leg.result is None or leg.result.credits is None:
        return {}
    return dict(zip(leg.versions, leg.result.credits, strict=False))
