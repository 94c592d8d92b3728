"""Ladders, tournaments and their events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field

from arena_service.store.states import (
    DeliveryState,
    EventState,
    UtcDateTime,
    new_id,
    now_utc,
)
from arena_service.store.tables.base import Table


class Ladder(Table, table=True):
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


class LadderEntry(Table, table=True):
    """A bot on a ladder; its newest active version plays."""

    __tablename__ = "ladder_entry"
    ladder: str = Field(foreign_key="ladder.id", primary_key=True)
    bot: str = Field(foreign_key="bot.id", primary_key=True)
    active: bool
    changed_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Tournament(Table, table=True):
    """A competition with a beginning and an end: one event, entered, started, played, closed.

    `pairs` of every group in a round; `rounds` at most, 0 until the format has set it at the start.
    `ladder` is the one whose final run it is. `webhook_secret` signs what is told to `webhook_url`.
    """

    id: str = Field(default_factory=new_id, primary_key=True)
    owner: str = Field(foreign_key="account.id")
    name: str = Field(unique=True)
    format: str
    game: str
    rules_version: int
    options: dict[str, Any] = Field(sa_type=JSON)
    seats: int
    pairs: int
    rounds: int = 0
    settings: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    ladder: str | None = Field(default=None, foreign_key="ladder.id", index=True)
    webhook_url: str = Field(default="", index=True)
    webhook_secret: str = ""
    limits: dict[str, int] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class TournamentEntry(Table, table=True):
    """A bot that was entered in a tournament; the version that plays is fixed at the start.

    `version` is its number, or 0 for the newest that is active then.
    """

    __tablename__ = "tournament_entry"
    tournament: str = Field(foreign_key="tournament.id", primary_key=True)
    bot: str = Field(foreign_key="bot.id", primary_key=True)
    version: int = Field(default=0, primary_key=True)
    active: bool
    changed_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Event(Table, table=True):
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


class Entrant(Table, table=True):
    """A version that plays in an event, as it was when the entries closed.

    Of a tournament `seed` is its place in the seeding, from 1, `rating` what that place follows
    from. Of a slot `rating` to `met` are what match-making was told. Null where nobody asks.
    """

    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True, index=True)
    bot_id: str
    sha256: str
    seed: int | None = None
    rating: float | None = None
    challenger: bool | None = None
    error: float | None = None
    pairs: int | None = None
    waited: int | None = None
    met: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class Round(Table, table=True):
    """Pairs of a tournament that were planned together; `number` counts from 1.

    It is closed when the next is planned, or when there will be none.
    """

    event: str = Field(foreign_key="event.id", primary_key=True)
    number: int = Field(primary_key=True)
    pairs: int
    byes: list[str] = Field(sa_type=JSON)
    planned_at: datetime = Field(sa_type=UtcDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Departure(Table, table=True):
    """An entrant that was withdrawn or disqualified when `round` was the round planned last."""

    event: str = Field(foreign_key="event.id", primary_key=True)
    bot_version: str = Field(foreign_key="bot_version.id", primary_key=True)
    kind: str = Field(primary_key=True)
    round: int
    by: str = Field(foreign_key="account.id")
    reason: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Delivery(Table, table=True):
    """What is told to a tournament's webhook when it has ended; `body` is JSON, told as it stands.

    `state` is waiting, delivered or failed. `error` says what the last attempt met with.
    """

    id: str = Field(default_factory=new_id, primary_key=True)
    event: str = Field(foreign_key="event.id", unique=True)
    body: str
    state: str = Field(default=DeliveryState.WAITING, index=True)
    attempts: int = 0
    error: str = ""
    due_at: datetime = Field(sa_type=UtcDateTime)
    delivered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
