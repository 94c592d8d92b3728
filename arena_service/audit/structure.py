"""Whether the lines of an event belong together: numbers without gaps, legs, players, results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from arena_service.audit.books import DISQUALIFIED, Book, Leg, Shelf
from arena_service.audit.documents import Result
from arena_service.doctor.report import Proof
from bots.manifest import NAME

DEPARTED = ("withdrawn", DISQUALIFIED)
ID = re.compile(r"[0-9a-f]{32}")
CREDITS_OF_TWO = frozenset((0.0, 0.5, 1.0))


def check_competition(shelf: Shelf, proof: Proof) -> None:
    """A tournament is one event, the slots of a ladder follow each other."""
    proof.take("the file", _of_competition(shelf))


def check_structure(book: Book, proof: Proof) -> None:
    """Look at the event, each pair and each match; what is wrong makes the book unsound."""
    failed = proof.failed
    proof.take(book.name, _of_event(book))
    for number in sorted(book.pairs.keys() | book.legs.keys()):
        proof.take(book.about(number), _of_pair(book, number))
        for leg, match in sorted(book.legs[number].items()):
            proof.take(book.about(number, leg), _of_leg(book, match))
    book.is_sound &= proof.failed == failed


def _of_competition(shelf: Shelf) -> Iterator[str]:
    export, events = shelf.export, [book.event for book in shelf.books.values()]
    if not (ID.fullmatch(export.id) and NAME.fullmatch(export.name)):
        yield f"is of {export.id[:40]!r}, {export.name[:40]!r}: expected an id and a name"
    slots = [event.slot for event in events if event.slot is not None]
    for one, two in pairwise(slots):
        if two != one + 1:
            yield f"slot {two} comes after slot {one}"
    is_whole = {
        "tournament": len(events) == 1 and not slots,
        "ladder": len(events) == len(slots) > 0,
    }
    if not is_whole.get(export.competition):
        kind = f"{export.competition[:40]!r}"
        yield f"is of the kind {kind} and holds {len(events)} events, {len(slots)} of them slots"


def _of_event(book: Book) -> Iterator[str]:
    if list(range(len(book.pairs))) != sorted(book.pairs):
        yield f"its {len(book.pairs)} pairs are not numbered from 0 without a gap"
    if list(range(1, len(book.rounds) + 1)) != sorted(book.rounds):
        yield f"its {len(book.rounds)} rounds are not numbered from 1 without a gap"
    for one, two in pairwise(sorted(book.pairs)):
        if book.pairs[one].round > book.pairs[two].round:
            yield f"its pair {two} is of an earlier round than its pair {one}"
    for number, planned in book.rounds.items():
        for version in set(planned.byes).difference(book.entrants):
            yield f"{version[:40]} is not entered and had a bye in round {number}"
    for each in book.departures:
        if each.bot_version not in book.entrants:
            yield f"{each.bot_version[:40]} is not entered and left"
        if each.round not in book.rounds or each.departed not in DEPARTED:
            yield f"{each.bot_version[:40]} was {each.departed[:40]} in round {each.round}"


def _of_pair(book: Book, number: int) -> Iterator[str]:
    pair, legs, seats = book.pairs.get(number), book.legs[number], book.event.seats
    if pair is None:
        yield "there are matches of it, and it is not there"
        return
    if pair.legs != seats:
        yield f"has {pair.legs} legs on {seats} seats"
    if pair.round not in book.rounds:
        yield f"is of round {pair.round}, which is not there"
    for leg in sorted(legs):
        if not 0 <= leg < seats:
            yield f"has a leg {leg} on {seats} seats"
    for leg in range(min(seats, len(legs) + 1)):
        if leg not in legs:
            yield f"leg {leg} is missing"
    if len({frozenset(leg.versions) for leg in legs.values()}) > 1:
        yield "has other players in one leg than in another"


def _of_leg(book: Book, leg: Leg) -> Iterator[str]:
    seats, versions = book.event.seats, leg.versions
    if not ID.fullmatch(leg.match):
        yield f"has the id {leg.match[:40]!r}, expected 32 hexadecimal digits"
    if len(versions) != seats or len(set(versions)) < len(versions):
        yield f"{len(set(versions))} different players on {seats} seats"
    for version in versions:
        if version not in book.entrants:
            yield f"{version[:40]} plays in it and is not entered"
    if leg.result is None:
        yield from _of_no_result(book, leg)
        return
    if leg.annulled_at is None and not book.disqualified.isdisjoint(versions):
        yield "has a result that counts, and a player that was disqualified"
    yield from _of_result(leg.result, seats)


def _of_no_result(book: Book, leg: Leg) -> Iterator[str]:
    gone = {each.bot_version for each in book.departures}
    if book.event.state != "cancelled" and gone.isdisjoint(leg.versions):
        yield "has no result, nobody has left and the event was not cancelled"
    if leg.annulled_at is not None:
        yield "was annulled and has no result"


def _of_result(result: Result, seats: int) -> Iterator[str]:
    for name, values in (("ranks", result.ranks), ("credits", result.credits)):
        if values is not None and len(values) != seats:
            yield f"{len(values)} {name} on {seats} seats"
    if (result.ranks is None) != (result.credits is None):
        yield "has ranks or credits without the other"
    if seats == 2 and not CREDITS_OF_TWO.issuperset(result.credits or ()):
        yield f"credits {result.credits} are none that two seats can have"
    if not set(range(seats)).issuperset(result.faults) or len(set(result.faults)) < len(
        result.faults
    ):
        yield f"blames the seats {result.faults[:8]} of {seats}"
