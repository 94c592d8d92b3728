"""Whether what match-making was told follows from the slots before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from arena_service.audit.books import Book
from arena_service.audit.documents import Entrant
from arena_service.audit.history import group_of
from arena_service.doctor.report import Proof
from arena_service.formats.candidates import FIRST_OPPONENTS, Candidate, Slot, contradictions
from arena_service.store.errors import InvalidError

MAX_ENTRANTS = 1000
MAX_ELO = 1e6


def recorded(book: Book) -> dict[str, Candidate]:
    """By version, of a slot whose terms hold. Raises InvalidError."""
    if len(book.entrants) > MAX_ENTRANTS:
        raise InvalidError("entrants", f"at most {MAX_ENTRANTS} in a slot")
    return {version: _candidate(each) for version, each in book.entrants.items()}


def check_candidates(books: Sequence[Book], proof: Proof) -> None:
    """Every slot of sound books, as far as the slots before it are among them."""
    slots = {number: book for book in books if (number := book.event.slot) is not None}
    wrong: dict[int, list[str]] = defaultdict(list)
    try:
        for number, version, text in contradictions(map(_slot, slots.values())):
            wrong[number].append(f"{slots[number].called(version)}: {text}")
    except InvalidError as error:
        proof.take("the file", [str(error)])
    for number, book in slots.items():
        proof.take(book.name, wrong[number])


def _slot(book: Book) -> Slot:
    return Slot(
        number=book.event.slot or 0,
        rules_version=book.event.rules_version,
        entered=recorded(book),
        played=[group_of(book, pair) for pair in sorted(book.pairs)],
        ratings={version: (each.value, each.error) for version, each in book.ratings.items()},
    )


def _candidate(entrant: Entrant) -> Candidate:
    if max(abs(entrant.rating or 0.0), abs(entrant.error or 0.0)) > MAX_ELO:
        raise InvalidError("rating", f"at most {MAX_ELO:g} Elo")
    met = tuple((entrant.met or [])[: FIRST_OPPONENTS + 1])
    return Candidate(entrant.rating, entrant.error, entrant.pairs or 0, entrant.waited or 0, met)
