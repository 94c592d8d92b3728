"""The words that columns hold, and how instants and ids are made."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An instant; SQLite keeps no zone, so it is always written and read as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time without a zone: it names no instant."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back that SQLite dropped."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class EventState(StrEnum):
    """Entries are open, its matches are played, every match has its result."""

    OPEN = "open"
    RUNNING = "running"
    COMPLETE = "complete"


class SeriesState(StrEnum):
    """Where a series stands between the plan and its last result."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"


class MatchState(StrEnum):
    """Whether a match has its one accepted result."""

    PLANNED = "planned"
    FINISHED = "finished"


class MatchKind(StrEnum):
    """What a match is played for; only rated ones enter the ledger."""

    RATED = "rated"
    CHECK = "check"
    CHALLENGE = "challenge"
    CONTINUATION = "continuation"
    HUMAN = "human"


class AttemptOutcome(StrEnum):
    """How one try at playing a match ended."""

    OPEN = "open"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    FAILED = "failed"


class Cause(StrEnum):
    """Whose responsibility an ending is; everything but `bot` is played again."""

    BOT = "bot"
    ENGINE = "engine"
    WORKER = "worker"
    INFRASTRUCTURE = "infrastructure"
    OPERATOR = "operator"


def new_id() -> str:
    """A random id, 32 hexadecimal digits."""
    return uuid4().hex


def now_utc() -> datetime:
    """The present instant."""
    return datetime.now(UTC)
