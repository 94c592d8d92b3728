"""What is planned, leased and played."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, UniqueConstraint
from sqlmodel import Field

from arena_service.store.states import (
    AttemptOutcome,
    MatchKind,
    MatchState,
    Priority,
    SeriesState,
    UtcDateTime,
    new_id,
    now_utc,
)
from arena_service.store.tables.base import Table


class Pair(Table, table=True):
    """All seatings of one seed: the unit of statistics. `round` is 1 where there are no others."""

    __table_args__ = (UniqueConstraint("event", "number"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    event: str = Field(foreign_key="event.id")
    round: int = 1
    number: int
    seed: str
    legs: int


class Series(Table, table=True):
    """Up to eight pairs of the same entrants: what is leased. `fence` counts the leases.

    A check match is a series of its own, without an event. The lowest `priority` is leased first,
    then the lowest `turn`: those of checks take turns between accounts.
    """

    __table_args__ = (
        Index("ix_series_queue", "state", "priority", "turn", "created_at", "position"),
    )
    id: str = Field(default_factory=new_id, primary_key=True)
    event: str | None = Field(default=None, foreign_key="event.id", index=True)
    priority: int = Priority.PLANNED
    turn: int = 0
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


class Match(Table, table=True):
    """One play from deal to result, planned before it starts."""

    __table_args__ = (
        UniqueConstraint("pair", "leg"),
        Index("ix_match_kind", "kind", "created_at"),
    )
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
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime, index=True)


class MatchSeat(Table, table=True):
    """Who sits on one seat of a match."""

    __tablename__ = "match_seat"
    match: str = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", index=True)
    bot_seed: str


class Attempt(Table, table=True):
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


class Evidence(Table, table=True):
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
