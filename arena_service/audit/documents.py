"""The lines of an export: one JSON document each, told apart by `kind`. See docs/export.md."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec

FORMAT = "export/1"
NO_REPLAY = b"null"

Instant = Annotated[datetime, msgspec.Meta(tz=True)]


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
    closed_at: Instant | None
    completed_at: Instant | None


class Entrant(Document, frozen=True):
    """A version that plays in the event; seed, rating and challenger where the format asks.

    Of a slot `rating`, `error`, `pairs`, `waited` and `met` are what match-making was told.
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
    annulled_at: Instant | None
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
