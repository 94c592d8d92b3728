"""The lines of an export: one JSON document each, told apart by `kind`. See docs/export.md."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from engine_service.core.replay import MAX_BYTES

FORMAT = "export/1"
MAX_LINE = MAX_BYTES + 2**20  # a replay, and what stands around it
MAX_LINES = 2_000_000
NO_REPLAY = b"null"
CHUNK_BYTES = 2**18
_GZIP = 31  # for zlib: a gzip file without a name and a time


class ExportError(ValueError):
    """A file that is no whole export: where, and what was expected."""

    def __init__(self, line: int | None, problem: str) -> None:
        """`line` counts from 1; None where it is about the file."""
        where = "" if line is None else f"line {line}: "
        super().__init__(where + problem)


class Document(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    """A line. Keys that are not known are ignored."""


class Export(Document, frozen=True):
    """The first line: what competition this is of. `competition` is tournament or ladder."""

    format: str
    competition: str
    id: str
    name: str


class Rule(msgspec.Struct, frozen=True):
    """When a test stops: hypotheses in normalised Elo, and how often each error may happen."""

    elo0: float
    elo1: float
    alpha: float
    beta: float


class Settings(msgspec.Struct, frozen=True):
    """What a format was asked for: ids of bots that challenge, of the ladder that seeds, a rule."""

    challengers: list[str] = []
    seeding: str = ""
    sprt: Rule | None = None


class Event(Document, frozen=True):
    """A tournament, or a slot of a ladder; `pairs` of every group in a round."""

    id: str
    slot: int | None
    state: str
    format: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    pairs: int
    rounds: int
    settings: Settings
    limits: dict[str, int]
    commitment: str
    key: str
    entrants_digest: str | None
    closed_at: datetime | None
    completed_at: datetime | None


class Entrant(Document, frozen=True):
    """A version that plays in the event; seed, rating and challenger where the format asks.

    Of a slot `rating`, `error`, `pairs`, `waited` and `met` are what match-making was told; null of
    slots of before it.
    """

    event: str
    bot_version: str
    bot_id: str
    sha256: str
    owner: str
    bot: str
    version: int
    seed: int | None = None
    rating: float | None = None
    challenger: bool | None = None
    error: float | None = None
    pairs: int | None = None
    waited: int | None = None
    met: list[str] | None = None


class Departure(Document, frozen=True):
    """An entrant that was withdrawn or disqualified when `round` was the round planned last."""

    event: str
    bot_version: str
    departed: str
    round: int
    reason: str


class Round(Document, frozen=True):
    """What was planned together: `pairs` of each group; `byes` had nobody to meet."""

    event: str
    number: int
    pairs: int
    byes: list[str]


class Pair(Document, frozen=True):
    """All legs of one seed; numbered within the event from 0."""

    event: str
    number: int
    round: int
    seed: str
    legs: int


class Player(msgspec.Struct, frozen=True):
    """Who sits on a seat."""

    bot_version: str
    bot_seed: str


class Result(msgspec.Struct, frozen=True):
    """What was accepted; ranks and credits by seat, null where there was no contest.

    `faults` are the seats to blame for the ending.
    """

    ending: str
    at_fault: int | None
    ranks: list[int] | None
    credits: list[float] | None
    faults: list[int]
    digest: str


class Match(Document, frozen=True):
    """One leg of a pair; without result and replay where it was cancelled.

    `annulled_at` is when its result was declared void.
    """

    event: str
    pair: int
    leg: int
    id: str
    players: list[Player]
    result: Result | None
    annulled_at: datetime | None
    replay: msgspec.Raw


class Rating(Document, frozen=True):
    """As fitted when the event was completed."""

    event: str
    bot_version: str
    value: float
    error: float


class Standing(Document, frozen=True):
    """A row of the table after the last event, counted over the events of the file."""

    rank: int
    bot_version: str
    pairs: int
    wins: int
    draws: int
    losses: int
    credit: float
    credit_low: float
    credit_high: float
    rating: float | None
    error: float | None
    faults: int


class Place(Document, frozen=True):
    """A line of the format's own table; tie-breaks by name, in the order in which they count."""

    event: str
    rank: int
    bot_version: str
    points: float
    tie_breaks: list[tuple[str, float]]


class Look(Document, frozen=True):
    """What a test with a stopping rule came to, of the first entrant of the seeding."""

    event: str
    verdict: str
    looked: int
    llr: float
    pairs: int


class End(Document, frozen=True):
    """The last line; `lines` counts all before it."""

    lines: int


Line = (
    Export
    | Event
    | Entrant
    | Departure
    | Round
    | Pair
    | Match
    | Rating
    | Place
    | Look
    | Standing
    | End
)
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Line)


def read(path: Path) -> Iterator[tuple[int, Line]]:
    """Every document with the number of its line; raises ExportError, or OSError.

    The first is an Export, the last an End that counts the others; nothing comes after it.
    """
    with path.open("rb") as file, gzip.GzipFile(fileobj=file) as lines:
        yield from _documents(lines)


def written(documents: Iterable[Line]) -> Iterator[bytes]:
    """The bytes of the file, in pieces; the same documents make the same bytes."""
    packer, count = zlib.compressobj(wbits=_GZIP), 0
    packed: list[bytes] = []
    for document in documents:
        count += 1
        packed.append(packer.compress(_ENCODER.encode(document) + b"\n"))
        if sum(map(len, packed)) >= CHUNK_BYTES:
            yield b"".join(packed)
            packed.clear()
    last = packer.compress(_ENCODER.encode(End(count)) + b"\n") + packer.flush()
    yield b"".join([*packed, last])


def _documents(lines: BinaryIO | gzip.GzipFile) -> Iterator[tuple[int, Line]]:
    number, ended = 0, False
    for number, text in _lines(lines):
        if ended:
            raise ExportError(number, "something stands behind the end")
        document = _decoded(number, text)
        if (number == 1) != isinstance(document, Export):
            raise ExportError(number, "the first line, and no other, is of the kind export")
        if isinstance(document, Export) and document.format != FORMAT:
            raise ExportError(1, f"format is {document.format[:40]!r}, this reads {FORMAT!r}")
        if isinstance(document, End):
            ended = True
            if document.lines != number - 1:
                raise ExportError(
                    number, f"{document.lines} lines were written, here are {number - 1}"
                )
        yield number, document
    if not ended:
        raise ExportError(None, f"the file ends after {number} lines without its last one")


def _lines(lines: BinaryIO | gzip.GzipFile) -> Iterator[tuple[int, bytes]]:
    """Bounded in length and number, so that a small file cannot fill the memory."""
    number = 0
    try:
        while text := lines.readline(MAX_LINE + 1):
            number += 1
            if len(text) > MAX_LINE or number > MAX_LINES:
                raise ExportError(
                    number, f"more than {MAX_LINES} lines, or {MAX_LINE} bytes in one"
                )
            yield number, text
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ExportError(None, f"no whole gzip file ({error})") from error


def _decoded(number: int, text: bytes) -> Line:
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExportError(number, f"not a document of an export ({error})") from error
