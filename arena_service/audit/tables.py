"""Whether ratings and standings follow from the results of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isclose
from typing import Any

from arena_service.audit.books import Book
from arena_service.audit.documents import Rating, Standing
from arena_service.audit.history import field_of, history
from arena_service.doctor.report import Proof
from arena_service.formats import catalogue
from arena_service.formats.comparison import look
from arena_service.ratings import fit
from arena_service.ratings.counted import Entry, counted
from arena_service.ratings.sprt import Look
from arena_service.ratings.table import Named, StandingRow, ranked, standing_row
from arena_service.ratings.tallies import Tally, tallied

CLOSE = 1e-6
COUNTS = ("rank", "pairs", "wins", "draws", "losses", "faults")
VALUES = ("credit", "credit_low", "credit_high", "rating", "error")


def check_ratings(books: Sequence[Book], proof: Proof) -> None:
    """Refit each complete event from the results up to it, under its rules; others have none.

    A challenge has none either.
    """
    entries: dict[int, list[Entry]] = {}
    for book in books:
        known = entries.setdefault(book.event.rules_version, [])
        known += _entries(book) if _is_rated(book) else ()
        proof.take(book.name, _of_event(book, known))


def _is_rated(book: Book) -> bool:
    return book.is_slot or catalogue.find(book.event.format).rated


def check_table(book: Book, proof: Proof) -> None:
    """What the format itself says of who stands where."""
    if book.is_slot:
        proof.take(book.name, ["a slot has no table of its own"] if book.table else [])
        return
    if not book.is_drawn:
        proof.take(book.name, ["its rounds are not those that were drawn: no table follows"])
        return
    if book.event.entrants_digest is None:
        return
    field, played = field_of(book), history(book)
    lines = catalogue.find(book.event.format).table(field, played)
    seen = None if field.sprt is None else look(field.sprt, played)
    told = [(row.rank, row.bot_version, row.points, row.tie_breaks) for row in book.table]
    counted = [(line.rank, line.entrant, line.points, list(line.tie_breaks)) for line in lines]
    proof.take(book.name, _of_lines(book, told, counted))
    proof.take(book.name, _of_look(book, seen))


def check_standings(books: Sequence[Book], standings: Sequence[Standing], proof: Proof) -> None:
    """The last table is the one that the results of the file give."""
    expected = {row.version_id: row for row in recomputed(books)}
    found = {row.bot_version: row for row in standings}
    about = books[-1].name if books else "the file"
    wrong = found.keys() ^ expected.keys()
    proof.take(
        about, [f"version {version[:40]} is in one table alone" for version in sorted(wrong)]
    )
    if len(found) < len(standings):
        proof.take(about, ["a version is in its table twice"])
    for version in sorted(found.keys() & expected.keys()):
        name = f"standing of {books[-1].called(version)}"
        proof.take(name, _of_row(found[version], expected[version]))


def recomputed(books: Sequence[Book]) -> tuple[StandingRow, ...]:
    """The table after the last book, best first."""
    if not books:
        return ()
    last = books[-1]
    same = [book for book in books if book.event.rules_version == last.event.rules_version]
    entries = [entry for book in same for entry in _entries(book) if entry.annulled is None]
    tallies, faults = tallied(counted(entries, None)), _faults(same)
    complete = [book for book in same if book.event.state == "complete"]
    ratings = complete[-1].ratings if complete else {}
    return ranked(
        standing_row(
            Named(each.bot_version, each.owner, each.bot, each.version),
            tallies.get(each.bot_version, Tally()),
            _strength(ratings.get(each.bot_version)),
            faults[each.bot_version],
        )
        for each in last.entrants.values()
    )


def _entries(book: Book) -> Iterator[Entry]:
    for number, _leg, match, result in book.results():
        if result.credits is not None and number in book.pairs:
            pair = f"{book.event.id}/{number}"
            row = fit.LedgerRow(pair, match.versions, tuple(result.credits), match.teams)
            yield Entry(row, book.pairs[number].legs, match.annulled_at)


def _faults(books: Iterable[Book]) -> Counter[str]:
    return Counter(
        match.versions[seat]
        for book in books
        for _number, _leg, match, result in book.results()
        for seat in result.faults
    )


def _of_lines(book: Book, told: Sequence[Any], counted: Sequence[Any]) -> Iterator[str]:
    if len(told) != len(counted):
        yield f"its table has {len(told)} lines, from its rounds follow {len(counted)}"
    for mine, other in zip(told, counted, strict=False):
        if mine != other:
            yield (
                f"its table has {book.called(mine[1])} at {mine[0]} with {mine[2]:g} points, "
                f"from its rounds follows {book.called(other[1])} at {other[0]} with {other[2]:g}, "
                "or with other tie-breaks"
            )


def _of_look(book: Book, seen: Look | None) -> Iterator[str]:
    told = [(row.verdict, row.looked, row.pairs) for row in book.looks]
    found = [] if seen is None else [(seen.verdict.value, seen.looked, seen.pairs)]
    if told != found:
        yield f"its test says {told}, from its pairs follows {found}"
    elif seen is not None and not _same(book.looks[0].llr, seen.llr):
        yield f"its test has the LLR {book.looks[0].llr:g}, from its pairs follows {seen.llr:g}"


def _of_event(book: Book, entries: Sequence[Entry]) -> Iterator[str]:
    if book.event.state != "complete":
        if book.ratings:
            yield "was cancelled and has ratings"
        return
    try:
        refitted = fit.fit(counted(entries, book.event.completed_at))
    except fit.FitError as error:
        yield f"its results allow no fit: {error}"
        return
    if book.ratings.keys() != refitted.keys():
        yield f"rates {len(book.ratings)} versions, its results {len(refitted)}"
        return
    for version, rating in refitted.items():
        found = book.ratings[version]
        off = max(abs(found.value - rating.value), abs(found.error - rating.error))
        if off > CLOSE:
            yield f"the rating of {book.called(version)} is off by {off:.6g}"


def _of_row(found: Standing, expected: StandingRow) -> Iterator[str]:
    for field in COUNTS:
        mine, other = getattr(found, field), getattr(expected, field)
        if mine != other:
            yield f"{field} is {mine}, from the results follow {other}"
    for field in VALUES:
        mine, other = getattr(found, field), getattr(expected, field)
        if not _same(mine, other):
            yield f"{field} is {mine}, from the results follow {other}"


def _same(mine: Any, other: Any) -> bool:
    if mine is None or other is None:
        return mine is other
    return isclose(mine, other, abs_tol=CLOSE)


def _strength(rating: Rating | None) -> fit.Rating | None:
    return None if rating is None else fit.Rating(rating.value, rating.error)
