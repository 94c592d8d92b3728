"""The audit of an exported file: one walk through its lines, then what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena_service.audit import candidates, odd, origins, tables
from arena_service.audit.books import Shelf
from arena_service.audit.documents import Match
from arena_service.audit.files import read
from arena_service.audit.replays import Replays
from arena_service.audit.structure import check_competition, check_structure
from arena_service.audit.terms import check_terms
from arena_service.doctor.report import Oddity, Proof, Report

CLAIMS = {
    "file": "every line is there once, and the lines of an event belong together",
    "terms": "what an event says of itself can be, and its format asks for it",
    "commitment": "the revealed key is the one that was committed to before the entries closed",
    "entrants": "the entrants are those whose digest enters every seed",
    "pairings": "every round is drawn from the key, the entrants and the results before it",
    "inputs": "the seeding follows from the ratings recorded for it, match-making from the slots",
    "seats": "every leg is the group moved on by one seat, and the bots' seeds follow from the key",
    "seeds": "the deal of every pair follows from the key",
    "replays": "every replay is true by the rules, and of the match as planned",
    "results": "endings, ranks and digests are those of the replays",
    "credits": "credits follow from the ranks",
    "table": "the format's own table, and the verdict of a test, follow from the rounds",
    "ratings": "the ratings are those of a fit from the results of the file",
    "standings": "the table is the one that the results of the file give",
}
OnMatch = Callable[[int], None]


def audit(path: Path, on_match: OnMatch) -> Report:
    """Prove a file; `on_match` is told how many matches are done. Raises ExportError, OSError."""
    proofs = {name: Proof(name, claim) for name, claim in CLAIMS.items()}
    shelf = Shelf(proofs["file"])
    replays = Replays(proofs["replays"], proofs["results"], proofs["credits"])
    done = 0
    for line, document in read(path):
        if isinstance(document, Match):
            shelf.add(line, document, replays.judge(shelf.book(line, document.event), document))
            done += 1
            on_match(done)
        else:
            shelf.put(line, document)
    return Report(list(proofs.values()), [*_conclude(shelf, proofs), *replays.oddities()])


def _conclude(shelf: Shelf, proofs: dict[str, Proof]) -> list[Oddity]:
    """What can be said once everything has been read."""
    check_competition(shelf, proofs["file"])
    books = list(shelf.books.values())
    for book in books:
        check_structure(book, proofs["file"])
        check_terms(book, proofs["terms"])
        origins.check_commitment(book, proofs["commitment"])
        origins.check_entrants(book, proofs["entrants"])
        origins.check_pairings(book, proofs["pairings"])
        origins.check_seeding(book, proofs["inputs"])
        origins.check_seats(book, proofs["seats"])
        origins.check_seeds(book, proofs["seeds"])
    if not all(book.is_sound for book in books):
        return [Oddity("not examined", "ratings, standings", "the file does not hold together")]
    for book in books:
        tables.check_table(book, proofs["table"])
    candidates.check_candidates(books, proofs["inputs"])
    found = list(odd.oddities(books))
    if shelf.is_from_the_beginning:
        tables.check_ratings(books, proofs["ratings"])
    else:
        text = "they rest on slots that are not in this file"
        found.append(Oddity("not examined", "ratings, inputs of the first slot", text))
    tables.check_standings(books, shelf.standings, proofs["standings"])
    return found
