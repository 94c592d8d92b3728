"""The words that columns hold, and how instants and ids are made."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import IntEnum, StrEnum
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


class VersionState(StrEnum):
    """Whether a version of a bot may play: first it must come through its check matches."""

    CHECKING = "checking"
    ACTIVE = "active"
    FAILED = "failed"
    DISABLED = "disabled"


class EventState(StrEnum):
    """Entries are open, its matches are played or rest, all have their result; or it was ended."""

    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETE = "complete"
    CANCELLED = "cancelled"


ENDED = frozenset({EventState.COMPLETE, EventState.CANCELLED})  # nothing will be played any more


class DepartureKind(StrEnum):
    """How an entrant left: its results stay, or they count for nobody."""

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


class Priority(IntEnum):
    """Which of the series that wait is leased first: an author waits for a check."""

    CHECK = 0
    PLANNED = 1


class SeriesState(StrEnum):
    """Where a series stands between the plan and its last result."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    CANCELLED = "cancelled"


UNPLAYED = (SeriesState.WAITING, SeriesState.LEASED)


class MatchState(StrEnum):
    """Whether a match has its one accepted result, or will never have one."""

    PLANNED = "planned"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchKind(StrEnum):
    """What a match is played for."""

    RATED = "rated"
    CHECK = "check"
    CHALLENGE = "challenge"
    CONTINUATION = "continuation"
    HUMAN = "human"


COUNTED = frozenset({MatchKind.RATED, MatchKind.CHALLENGE})  # in the standings of their event


class DeliveryState(StrEnum):
    """Whether what a webhook is told has arrived."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


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
