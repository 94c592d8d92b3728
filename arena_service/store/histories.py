"""How ratings moved: one point for every version in every completed event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.states import EventState
from arena_service.store.tables import Account, Bot, BotVersion, Event, Ladder, Rating

MAX_POINTS = 20_000  # of a ladder
MAX_POINTS_OF_A_BOT = 1_000


@dataclass(frozen=True)
class RatingPoint:
    """The rating of a version after a slot of a ladder."""

    ladder_id: str
    ladder: str
    slot: int
    at: datetime
    bot_id: str
    bot: str
    owner: str
    version: int
    value: float
    error: float


def of_ladder(db: Database, ladder_id: str) -> list[RatingPoint]:
    """Every rating of a ladder, by slot, within it the strongest first."""
    return _points(db, _joined().where(col(Event.ladder) == ladder_id), MAX_POINTS)


def of_bot(db: Database, bot_id: str) -> list[RatingPoint]:
    """The newest ratings of a bot's versions on ladders, by the time they were fitted."""
    return _points(db, _joined().where(col(Bot.id) == bot_id), MAX_POINTS_OF_A_BOT)


def _joined() -> Any:
    """The fields of a point, in their order."""
    return (
        select(
            col(Ladder.id),
            col(Ladder.name),
            col(Event.slot),
            col(Event.completed_at),
            col(Bot.id),
            col(Bot.name),
            col(Account.name),
            col(BotVersion.number),
            col(Rating.value),
            col(Rating.error),
        )
        .select_from(Rating)
        .join(Event, col(Rating.event) == col(Event.id))
        .join(Ladder, col(Event.ladder) == col(Ladder.id))
        .join(BotVersion, col(Rating.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(Event.state) == EventState.COMPLETE)
    )


def _points(db: Database, wanted: Any, at_most: int) -> list[RatingPoint]:
    """The newest points, in the order of time."""
    newest = wanted.order_by(col(Event.completed_at).desc(), col(Rating.value)).limit(at_most)
    with db.read() as session:
        return [RatingPoint(*row) for row in session.execute(newest)][::-1]
