"""How ratings moved: one point for every version in every completed event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.states import EventState
from arena_service.store.tables import Account, Bot, BotVersion, Event, Ladder, Rating

MAX_POINTS = 20_000


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
    return _points(db, _joined().where(col(Event.ladder) == ladder_id))


def of_bot(db: Database, bot_id: str) -> list[RatingPoint]:
    """Every rating of a bot's versions on ladders, by the time it was fitted."""
    return _points(db, _joined().where(col(Bot.id) == bot_id))


def _joined() -> Any:
    return (
        select(Rating, Event, col(Ladder.name), BotVersion, Bot, col(Account.name))
        .join(Event, col(Rating.event) == col(Event.id))
        .join(Ladder, col(Event.ladder) == col(Ladder.id))
        .join(BotVersion, col(Rating.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(Event.state) == EventState.COMPLETE)
    )


def _points(db: Database, wanted: Any) -> list[RatingPoint]:
    """The newest points at most MAX_POINTS, in the order of time."""
    newest = wanted.order_by(col(Event.completed_at).desc(), col(Rating.value)).limit(MAX_POINTS)
    with db.read() as session:
        found: Iterable[Any] = session.execute(newest).all()
    points = [
        RatingPoint(
            ladder_id=event.ladder,
            ladder=ladder,
            slot=event.slot,
            at=event.completed_at,
            bot_id=bot.id,
            bot=bot.name,
            owner=owner,
            version=version.number,
            value=rating.value,
            error=rating.error,
        )
        for rating, event, ladder, version, bot, owner in found
    ]
    return points[::-1]
