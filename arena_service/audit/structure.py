"""Whether the lines of an event belong together: numbers without gaps, legs, players, results."""

from __future__ import annotations

from collections.abc import Iterator

from arena_service.audit.books import Book, Leg
from arena_service.audit.documents import Result
from arena_service.doctor.report import Proof
from arena_service.formats import catalogue

CREDITS_OF_TWO = frozenset((0.0, 0.5, 1.0))


def check_structure(book: Book, proof: Proof) -> None:
    """Look at the event, each pair and each match; what is wrong makes the book unsound."""
    failed = proof.failed
    proof.take(book.name, _of_event(book))
    for number in sorted(book.pairs.keys() | book.legs.keys()):
        proof.take(book.about(number), _of_pair(book, number))
        for leg, match in sorted(book.legs[number].items()):
            proof.take(book.about(number, leg), _of_leg(book, match))
    book.is_sound = proof.failed == failed


def _of_event(book: Book) -> Iterator[str]:
    if book.event.format not in catalogue.played():
        yield f"there is no format {book.event.format[:40]!r}"
    if list(range(len(book.pairs))) != sorted(book.pairs):
        yield f"its {len(book.pairs)} pairs are not numbered from 0 without a gap"
    if list(range(1, len(book.rounds) + 1)) != sorted(book.rounds):
        yield f"its {len(book.rounds)} rounds are not numbered from 1 without a gap"
    named = [each.bot_version for each in book.departures]
    named += [version for planned in book.rounds.values() for version in planned.byes]
    for version in named:
        if version not in book.entrants:
            yield f"{version[:40]} is not entered and had a bye or left"


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


def _of_leg(book: Book, leg: Leg) -> Iterator[str]:
    seats, versions = book.event.seats, leg.versions
    if len(versions) != seats or len(set(versions)) < len(versions):
        yield f"{len(set(versions))} different players on {seats} seats"
    for version in versions:
        if version not in book.entrants:
            yield f"{version[:40]} plays in it and is not entered"
    if leg.result is None:
        gone = {each.bot_version for each in book.departures}
        if book.event.state != "cancelled" and gone.isdisjoint(versions):
            yield "has no result, nobody has left and the event was not cancelled"
    else:
        yield from _of_result(leg.result, seats)


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
