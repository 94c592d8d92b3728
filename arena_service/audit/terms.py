"""Whether what an event says of itself can be, and is nothing that its format does not ask for."""

from __future__ import annotations

from collections.abc import Iterator

from arena_service.audit.books import Book
from arena_service.audit.documents import Entrant, Event
from arena_service.audit.history import sprt_of
from arena_service.doctor.report import Proof
from arena_service.formats import catalogue
from arena_service.formats.format import Extends
from arena_service.store.terms import MAX_LIMITS

ASKED_FOR = {  # settings, and the formats that ask for them
    "challengers": ("gauntlet", catalogue.CHALLENGE),
    "seeding": ("double_elimination", catalogue.FINAL),
    "sprt": ("test",),
}
# Keys of entrants.
OF_TOURNAMENTS = ("seed", "challenger")
OF_SLOTS = ("error", "pairs", "waited", "met")
TOLD = ("pairs", "waited", "met")  # to match-making, of everybody


def check_terms(book: Book, proof: Proof) -> None:
    """Look at the event and each entrant; what cannot be makes the book unsound."""
    failed = proof.failed
    if book.event.format in catalogue.played():
        proof.take(book.name, _of_event(book))
        for each in book.entrants.values():
            about = f"{book.name} {book.called(each.bot_version)}"
            proof.take(about, _of_entrant(book, each))
    else:
        proof.take(book.name, [f"there is no format {book.event.format[:40]!r}"])
    book.is_sound &= proof.failed == failed


def _of_event(book: Book) -> Iterator[str]:
    event = book.event
    if (event.slot is not None) != book.is_slot:
        yield f"is the slot {event.slot}, its format is {event.format}"
    if (event.closed_at is None) != (event.entrants_digest is None):
        yield "has a digest of its entrants, or a time when they were closed, without the other"
    if event.completed_at is None:
        yield "has no time when it ended"
    if event.pairs < 1:
        yield f"has {event.pairs} pairs of each group"
    yield from _of_limits(event.limits)
    yield from _of_rounds(book)
    yield from _of_settings(book)


def _of_limits(limits: dict[str, int]) -> Iterator[str]:
    if limits.keys() != MAX_LIMITS.keys():
        yield f"its limits are {', '.join(limits)[:80]}, expected {', '.join(MAX_LIMITS)}"
        return
    for name, most in MAX_LIMITS.items():
        if not 1 <= limits[name] <= most:
            yield f"{name} is {limits[name]}, possible are 1 to {most}"


def _of_rounds(book: Book) -> Iterator[str]:
    """As many as the format needs, or as it was extended to; before the start as was asked."""
    event = book.event
    if event.entrants_digest is None:
        if event.rounds < 0:
            yield f"has {event.rounds} rounds"
        return
    least, grows = 1, False
    if not book.is_slot:
        format = catalogue.find(event.format)
        least = format.rounds(len(book.entrants), max(0, event.rounds))
        grows = format.extends is Extends.PAIRS and event.settings.sprt is None
    if event.rounds < least or (event.rounds > least and not grows):
        yield f"has {event.rounds} rounds, expected {least}{' or more' if grows else ''}"


def _of_settings(book: Book) -> Iterator[str]:
    settings, format = book.event.settings, book.event.format
    for name, formats in ASKED_FOR.items():
        if getattr(settings, name) and format not in formats:
            yield f"has the setting {name}, which a {format} does not ask for"
    if format in ASKED_FOR["challengers"] and not settings.challengers:
        yield f"has no challengers, a {format} needs them"
    try:
        sprt_of(book)
    except ValueError as error:
        yield f"its rule stops no test: {error}"


def _of_entrant(book: Book, entrant: Entrant) -> Iterator[str]:
    for name in OF_TOURNAMENTS if book.is_slot else OF_SLOTS:
        if getattr(entrant, name) is not None:
            yield f"has {name}, of which a {book.event.format} tells nothing"
    if book.is_slot:
        if (entrant.rating is None) != (entrant.error is None):
            yield "has a rating or an error without the other"
        for name in TOLD:
            if getattr(entrant, name) is None:
                yield f"has no {name}, which match-making was told"
    else:
        yield from _of_seeded(book.event, entrant)


def _of_seeded(event: Event, entrant: Entrant) -> Iterator[str]:
    if entrant.seed is None:
        yield "has no place in the seeding"
    if entrant.rating is not None and not event.settings.seeding:
        yield "has a rating, and no ladder seeds"
    expected = True if entrant.bot_id in event.settings.challengers else None
    if entrant.challenger is not expected:
        yield "is a challenger, or is none, against the terms"
