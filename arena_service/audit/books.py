"""The documents of an export, sorted: what there is of each event, without the replays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from arena_service.audit.documents import (
    Departure,
    Entrant,
    Event,
    Export,
    Line,
    Look,
    Match,
    Pair,
    Place,
    Player,
    Rating,
    Result,
    Round,
    Standing,
)
from arena_service.audit.files import ExportError
from arena_service.doctor.report import Proof
from arena_service.formats.catalogue import LADDER

ENDED = ("complete", "cancelled")
DISQUALIFIED = "disqualified"
NOTHING = Export("", "", "", "")  # before the first line is read


@dataclass(frozen=True, slots=True)
class Leg:
    """A match without its replay; `teams` by seat, None where each seat is alone."""

    match: str
    players: list[Player]
    result: Result | None
    annulled_at: datetime | None
    teams: tuple[int, ...] | None

    @property
    def versions(self) -> tuple[str, ...]:
        """Who played, by seat."""
        return tuple(player.bot_version for player in self.players)


@dataclass
class Book:
    """One event: entrants and ratings by version, rounds and pairs by number, legs by pair.

    `is_sound` while nothing in it contradicts the rest, `is_drawn` once its rounds are those that
    were drawn.
    """

    event: Event
    key: bytes
    entrants: dict[str, Entrant] = field(default_factory=dict)
    departures: list[Departure] = field(default_factory=list)
    rounds: dict[int, Round] = field(default_factory=dict)
    pairs: dict[int, Pair] = field(default_factory=dict)
    legs: dict[int, dict[int, Leg]] = field(default_factory=lambda: defaultdict(dict))
    ratings: dict[str, Rating] = field(default_factory=dict)
    table: list[Place] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    is_sound: bool = True
    is_drawn: bool = False

    @property
    def is_slot(self) -> bool:
        """Of a ladder; else it is a tournament."""
        return self.event.format == LADDER

    @property
    def digest(self) -> str:
        """Of its entrants, as it enters every seed; empty while entries were open at its end."""
        return self.event.entrants_digest or ""

    @property
    def disqualified(self) -> frozenset[str]:
        """Whose results are void."""
        return frozenset(e.bot_version for e in self.departures if e.departed == DISQUALIFIED)

    @property
    def name(self) -> str:
        """How the event is named to people."""
        return f"event {self.event.id}"

    def called(self, version: str) -> str:
        """How a version is named to people."""
        found = self.entrants.get(version)
        return f"{found.owner}/{found.bot} {found.version}" if found else version[:40]

    def about(self, pair: int, leg: int | None = None) -> str:
        """How a pair, or a match of it, is named to people."""
        name = f"{self.name} pair {pair}"
        if leg is None:
            return name
        found = self.legs[pair].get(leg)
        return f"{name} leg {leg}" + (f" match {found.match}" if found else "")

    def results(self) -> Iterator[tuple[int, int, Leg, Result]]:
        """Pair, leg and match of everything that has a result, in order."""
        for number, legs in sorted(self.legs.items()):
            for leg, match in sorted(legs.items()):
                if match.result is not None:
                    yield number, leg, match, match.result


class Shelf:
    """All books of an export in the order of the file, and its last table."""

    def __init__(self, proof: Proof) -> None:
        """`proof` takes what does not fit together."""
        self.export = NOTHING
        self.books: dict[str, Book] = {}
        self.standings: list[Standing] = []
        self._proof = proof
        self._matches: set[str] = set()

    @property
    def is_from_the_beginning(self) -> bool:
        """Whether no slot of a ladder is missing before the first one."""
        return next(iter(self.books.values())).event.slot in (None, 1) if self.books else True

    def put(self, line: int, document: Line) -> None:
        """Sort a document in; raises ExportError when it is of an event that has not come."""
        match document:
            case Export():
                self.export = document
            case Event():
                self._open(line, document)
            case Standing():
                self.standings.append(document)
            case Entrant() | Rating() | Departure() | Round() | Pair() | Place() | Look():
                self._proof.take(
                    f"line {line}", self._enter(self.book(line, document.event), document)
                )
            case _:
                pass

    def book(self, line: int, event: str) -> Book:
        """The book of an event that has come; raises ExportError."""
        if event not in self.books:
            raise ExportError(line, f"event {event[:40]!r} has not come before")
        return self.books[event]

    def add(self, line: int, match: Match, teams: tuple[int, ...] | None) -> None:
        """Sort a match in, whose replay has been judged."""
        book = self.book(line, match.event)
        self._proof.take(book.about(match.pair, match.leg), self._twice(book, match))
        leg = Leg(match.id, match.players, match.result, match.annulled_at, teams)
        book.legs[match.pair].setdefault(match.leg, leg)
        self._matches.add(match.id)

    def _open(self, line: int, event: Event) -> None:
        if event.state not in ENDED:
            raise ExportError(line, f"event {event.id} has not ended, it is {event.state[:40]!r}")
        try:
            key = bytes.fromhex(event.key)
        except ValueError as error:
            raise ExportError(line, "key: expected hexadecimal digits") from error
        if not (event.id + (event.entrants_digest or "")).isascii():
            raise ExportError(line, "id, entrants_digest: expected ASCII")
        twice = [f"event {event.id} is there twice"] if event.id in self.books else []
        self._proof.take(f"line {line}", twice)
        self.books.setdefault(event.id, Book(event, key))

    def _enter(
        self, book: Book, document: Entrant | Rating | Departure | Round | Pair | Place | Look
    ) -> list[str]:
        match document:
            case Departure():
                left = (document.bot_version, document.departed)
                new = left not in ((d.bot_version, d.departed) for d in book.departures)
                book.departures.append(document)
            case Place():
                book.table.append(document)
                new = True
            case Look():
                book.looks.append(document)
                new = len(book.looks) == 1
            case Entrant():
                new = book.entrants.setdefault(document.bot_version, document) is document
            case Rating():
                new = book.ratings.setdefault(document.bot_version, document) is document
            case Round():
                new = book.rounds.setdefault(document.number, document) is document
            case Pair():
                new = book.pairs.setdefault(document.number, document) is document
        return [] if new else [f"this {type(document).__name__.lower()} came before"]

    def _twice(self, book: Book, match: Match) -> Iterator[str]:
        if match.leg in book.legs[match.pair]:
            yield f"is there twice, as match {match.id} too"
        if match.id in self._matches:
            yield f"match {match.id} is there twice"
