"""What of an export is possible and yet strange: times in another order, results that were voided.

A clock may have been set back, and an operator can void a result for a reason that is on no record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from arena_service.audit.books import Book
from arena_service.doctor.report import Oddity

TIMES, VOID = "times", "void results"


def oddities(books: Sequence[Book]) -> Iterator[Oddity]:
    """Of sound books, in their order."""
    for book in books:
        yield from _times(book)
        yield from _void(book)
    for one, two in pairwise(books):
        ended, closed = one.event.completed_at, two.event.closed_at
        if ended is not None and closed is not None and closed < ended:
            yield Oddity(
                TIMES, two.name, "its entries were closed before the slot before had ended"
            )


def _times(book: Book) -> Iterator[Oddity]:
    closed, ended = book.event.closed_at, book.event.completed_at
    if closed is None or ended is None:
        return
    if ended < closed:
        yield Oddity(TIMES, book.name, "it ended before its entries were closed")
    for pair, leg, match, _ in book.results():
        if match.annulled_at is not None and not closed <= match.annulled_at <= ended:
            yield Oddity(TIMES, book.about(pair, leg), "it was annulled when nothing was played")


def _void(book: Book) -> Iterator[Oddity]:
    for pair, leg, match, _ in book.results():
        if match.annulled_at is not None and book.disqualified.isdisjoint(match.versions):
            yield Oddity(VOID, book.about(pair, leg), "it was annulled, nobody was disqualified")
