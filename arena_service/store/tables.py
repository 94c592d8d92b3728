"""Every table of the arena. No column is named after a seat: a match has as many rows as seats."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from arena_service.store.states import (
    AttemptOutcome,
    EventState,
    MatchKind,
    MatchState,
    Priority,
    SeriesState,
    UtcDateTime,
    VersionState,
    new_id,
    now_utc,
)

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Account(SQLModel, table=True):
    """A person; the token itself is never stored."""

    id: str = Field(default_factory=new_id, primary_key=True)
    name: str = Field(unique=True)
    token_sha256: str = Field(unique=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class SignIn(SQLModel, table=True):
    """A visit to the dashboard by somebody who showed a token; only the hash of its own is kept."""

    __tablename__ = "sign_in"
    secret_sha256: str = Field(primary_key=True)
    account: str = Field(foreign_key="account.id", index=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)


class Bot(SQLModel, table=True):
    """A program with a name of its owner's choice."""

    __table_args__ = (UniqueConstraint("owner", "name"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    owner: str = Field(foreign_key="account.id")
    name: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Artifact(SQLModel, table=True):
    """An archive under the hash of its bytes."""

    sha256: str = Field(primary_key=True)
    content: bytes
    size: int


class BotVersion(SQLModel, table=True):
    """An immutable upload of a bot; `reason` says why it does not play, in words for its author.

    `check_series` is its last check; `faults_in_a_row` counts rated matches lost by its own fault.
    """

    __tablename__ = "bot_version"
    __table_args__ = (UniqueConstraint("bot", "number"), UniqueConstraint("bot", "sha256"))
    id: str = Field(default_factory=new_id, primary_key=True)
    bot: str = Field(foreign_key="bot.id")
    number: int
    sha256: str = Field(foreign_key="artifact.sha256")
    games: list[str] = Field(sa_type=JSON)
    run: list[str] = Field(sa_type=JSON)
    protocol: str
    state: str = VersionState.CHECKING
    reason: str = ""
    state_since: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    check_series: str | None = Field(default=None, foreign_key="series.id")
    faults_in_a_row: int = 0
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Ladder(SQLModel, table=True):
    """A continuing competition: a slot of matches whenever the schedule says so."""

    id: str = Field(default_factory=new_id, primary_key=True)
    owner: str = Field(foreign_key="account.id")
    name: str = Field(unique=True)
    game: str
    rules_version: int
    options: dict[str, Any] = Field(sa_type=JSON)
    seats: int
    cron: str
    timezone: str
    pairs_per_slot: int
    limits: dict[str, int] = Field(sa_type=JSON)
    next_due: datetime = Field(sa_type=UtcDateTime, index=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class LadderEntry(SQLModel, table=True):
    """A bot on a ladder; its newest version plays."""

    __tablename__ = "ladder_entry"
    ladder: str = Field(foreign_key="ladder.id", primary_key=True)
    bot: str = Field(foreign_key="bot.id", primary_key=True)
    active: bool
    changed_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Tournament(SQLModel, table=True):
    """A competition with a beginning and an end: one event, entered, started, played, closed."""

    id: str = Field(default_factory=new_id, primary_key=True)
    owner: str = Field(foreign_key="account.id")
    name: str = Field(unique=True)
    format: str
    game: str
    rules_version: int
    options: dict[str, Any] = Field(sa_type=JSON)
    seats: int
    pairs: int
    limits: dict[str, int] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class TournamentEntry(SQLModel, table=True):
    """A bot that was entered in a tournament; the version that plays is fixed at the start."""

    __tablename__ = "tournament_entry"
    tournament: str = Field(foreign_key="tournament.id", primary_key=True)
    bot: str = Field(foreign_key="bot.id", primary_key=True)
    active: bool
    changed_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Event(SQLModel, table=True):
    """A slot of a ladder, or a tournament, with its secret key and public commitment."""

    __table_args__ = (UniqueConstraint("ladder", "slot"), UniqueConstraint("tournament"))
    id: str = Field(default_factory=new_id, primary_key=True)
    ladder: str | None = Field(default=None, foreign_key="ladder.id")
    slot: int | None = None
    tournament: str | None = Field(default=None, foreign_key="tournament.id")
    key: bytes
    commitment: str
    entrants_digest: str | None = None
    rules_version: int | None = None
    limits: dict[str, int] = Field(sa_type=JSON)
    state: str = Field(default=EventState.OPEN, index=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    completed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Entrant(SQLModel, table=True):
    """A version that plays in an event, as it was when the entries closed."""

    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True)
    bot_id: str
    sha256: str


class Pair(SQLModel, table=True):
    """All seatings of one seed: the unit of statistics."""

    __table_args__ = (UniqueConstraint("event", "number"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    event: str = Field(foreign_key="event.id")
    number: int
    seed: str
    legs: int


class Series(SQLModel, table=True):
    """Up to eight pairs of the same entrants: what is leased. `fence` counts the leases.

    A check match is a series of its own, without an event. The lowest `priority` is leased first.
    """

    __table_args__ = (Index("ix_series_queue", "state", "priority", "created_at", "position"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    event: str | None = Field(default=None, foreign_key="event.id", index=True)
    priority: int = Priority.PLANNED
    position: int
    limits: dict[str, int] = Field(sa_type=JSON)
    state: str = SeriesState.WAITING
    fence: int = 0
    worker: str | None = None
    lease_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    renewed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    progress: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    failures: int = 0
    not_before: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Match(SQLModel, table=True):
    """One play from deal to result, planned before it starts."""

    __table_args__ = (UniqueConstraint("pair", "leg"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    pair: str | None = Field(default=None, foreign_key="pair.id")
    series: str | None = Field(default=None, foreign_key="series.id", index=True)
    event: str | None = Field(default=None, foreign_key="event.id", index=True)
    leg: int
    seed: str
    replaces: str | None = Field(default=None, foreign_key="match.id")
    kind: str = MatchKind.RATED
    game: str
    rules_version: int
    options: dict[str, Any] = Field(sa_type=JSON)
    seats: int
    state: str = MatchState.PLANNED
    position: int = 0
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class MatchSeat(SQLModel, table=True):
    """Who sits on one seat of a match."""

    __tablename__ = "match_seat"
    match: str = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", index=True)
    bot_seed: str


class Attempt(SQLModel, table=True):
    """One try of a worker at playing a match; `late_seat` kept it waiting on a stalled host."""

    __table_args__ = (UniqueConstraint("match", "fence"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    match: str = Field(foreign_key="match.id")
    series: str = Field(foreign_key="series.id", index=True)
    fence: int
    worker: str
    outcome: str = AttemptOutcome.OPEN
    cause: str | None = None
    detail: str = ""
    late_seat: int | None = None
    started_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)


class Result(SQLModel, table=True):
    """The one accepted outcome of a match."""

    match: str = Field(foreign_key="match.id", primary_key=True)
    attempt: str = Field(foreign_key="attempt.id", unique=True)
    ending: str
    at_fault: int | None = None
    plies: int
    digest: str
    replay: bytes
    accepted_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime, index=True)


class SeatResult(SQLModel, table=True):
    """What one seat got; rank and credit are null in a match that was no contest."""

    __tablename__ = "seat_result"
    match: str = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    rank: int | None = None
    credit: float | None = None
    cpu_ms: float


class Evidence(SQLModel, table=True):
    """What the runner measured and kept for the author of the bot on a seat."""

    attempt: str = Field(foreign_key="attempt.id", primary_key=True)
    seat: int = Field(primary_key=True)
    limit: str
    used_ms: float | None = None
    start_cpu_ms: float | None = None
    peak_bytes: int | None = Field(default=None, sa_type=BigInteger)
    last_view: str
    last_line: str
    stderr_tail: str
    cpu_per_ply: list[float] = Field(sa_type=JSON)
    wall_per_ply: list[float] = Field(sa_type=JSON)
    notes: list[list[Any]] = Field(sa_type=JSON)


class Ledger(SQLModel, table=True):
    """An accepted rated result in the form that ratings are computed from; only ever appended."""

    match: str = Field(foreign_key="match.id", primary_key=True)
    event: str = Field(foreign_key="event.id", index=True)
    pair: str = Field(foreign_key="pair.id")
    seats: list[str] = Field(sa_type=JSON)
    credits: list[float] = Field(sa_type=JSON)
    digest: str


class Annulment(SQLModel, table=True):
    """An operator's word that a result does not count."""

    match: str = Field(foreign_key="match.id", primary_key=True)
    by: str = Field(foreign_key="account.id")
    reason: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Refusal(SQLModel, table=True):
    """A post that was not accepted: late, contradicting or not of this plan."""

    id: str = Field(default_factory=new_id, primary_key=True)
    match: str = Field(foreign_key="match.id", index=True)
    series: str
    fence: int
    reason: str
    digest: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Rating(SQLModel, table=True):
    """The strength of a version as fitted when an event was completed."""

    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True)
    value: float
    error: float


class Process(SQLModel, table=True):
    """A server process that says from time to time that it lives."""

    id: str = Field(primary_key=True)
    kind: str
    host: str
    pid: int
    detail: str = ""
    started_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    seen_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime, index=True)
