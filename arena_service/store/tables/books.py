"""What was accepted and what follows from it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from arena_service.store.states import UtcDateTime, new_id, now_utc
from arena_service.store.tables.base import Table

_OF_A_POINT = ["event", "value", "error"]


class Result(Table, table=True):
    """The one accepted outcome of a match."""

    __table_args__ = (Index("ix_result_ending", "ending", "accepted_at"),)
    match: str = Field(foreign_key="match.id", primary_key=True)
    attempt: str = Field(foreign_key="attempt.id", unique=True)
    ending: str
    at_fault: int | None = None
    plies: int
    digest: str
    replay: bytes
    accepted_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime, index=True)


class SeatResult(Table, table=True):
    """What one seat got; rank and credit are null in a match that was no contest."""

    __tablename__ = "seat_result"
    match: str = Field(foreign_key="match.id", primary_key=True)
    seat: int = Field(primary_key=True)
    rank: int | None = None
    credit: float | None = None
    cpu_ms: float


class Ledger(Table, table=True):
    """An accepted rated result in the form that ratings are computed from; only ever appended.

    `teams` by seat; null where each seat is alone.
    """

    match: str = Field(foreign_key="match.id", primary_key=True)
    event: str = Field(foreign_key="event.id", index=True)
    pair: str = Field(foreign_key="pair.id", index=True)
    seats: list[str] = Field(sa_type=JSON)
    credits: list[float] = Field(sa_type=JSON)
    digest: str
    teams: list[int] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class Annulment(Table, table=True):
    """An operator's word that a result does not count."""

    match: str = Field(foreign_key="match.id", primary_key=True)
    by: str = Field(foreign_key="account.id")
    reason: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Refusal(Table, table=True):
    """A post that was not accepted: late, contradicting or not of this plan."""

    id: str = Field(default_factory=new_id, primary_key=True)
    match: str = Field(foreign_key="match.id", index=True)
    series: str
    fence: int
    reason: str
    digest: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Rating(Table, table=True):
    """The strength of a version as fitted when an event was completed."""

    __table_args__ = (
        # A version's ratings over the years are read from it alone.
        Index("ix_rating_bot_version", "bot_version", postgresql_include=_OF_A_POINT),
    )
    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True)
    value: float
    error: float


class LadderTally(Table, table=True):
    """What counted for a version on a ladder when a slot was completed, in it and all before.

    `means` are the mean credits of its pairs, each with how many pairs had it.
    """

    __tablename__ = "ladder_tally"
    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True)
    means: list[list[float]] = Field(sa_type=JSON)
    wins: int
    draws: int
    losses: int
    faults: int
