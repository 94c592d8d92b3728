"""The list of matches, narrowed down by what a reader asks for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, exists, select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.match_rows import MatchRow, match_rows
from arena_service.store.states import MatchState, SeriesState
from arena_service.store.tables import BotVersion, Event, Match, MatchSeat, Result, Series

MAX_PAGE = 500


class Standing(StrEnum):
    """Which matches are wanted, by where they stand."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAULT = "fault"


@dataclass(frozen=True)
class MatchSearch:
    """What is wanted, by ids; None leaves it open. `bot` and `against` sat in the same match."""

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    against: str | None = None
    standing: Standing | None = None


def search(db: Database, wanted: MatchSearch, limit: int = 50, offset: int = 0) -> list[MatchRow]:
    """Matches of ladders and tournaments, the newest event first, within it in order of play."""
    statement = select(col(Match.id)).join(Event, col(Match.event) == col(Event.id))
    if wanted.ladder is not None:
        statement = statement.where(col(Event.ladder) == wanted.ladder)
    if wanted.tournament is not None:
        statement = statement.where(col(Event.tournament) == wanted.tournament)
    for bot in (wanted.bot, wanted.against):
        if bot is not None:
            statement = statement.where(_sat(bot))
    statement = _standing(statement, wanted.standing)
    order = (col(Match.created_at).desc(), col(Match.event), col(Match.position))
    page = statement.order_by(*order).limit(min(max(limit, 0), MAX_PAGE)).offset(max(offset, 0))
    with db.read() as session:
        return match_rows(session, list(session.scalars(page)))


def _sat(bot: str) -> Any:
    return exists(
        select(1)
        .select_from(MatchSeat)
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .where(col(MatchSeat.match) == col(Match.id), col(BotVersion.bot) == bot)
    )


def _standing(statement: Select[str], standing: Standing | None) -> Select[str]:
    match standing:
        case None:
            return statement
        case Standing.FINISHED:
            return statement.where(col(Match.state) == MatchState.FINISHED)
        case Standing.FAULT:
            return statement.join(Result, col(Result.match) == col(Match.id)).where(
                col(Result.at_fault).is_not(None)
            )
        case Standing.WAITING | Standing.RUNNING:
            leased = col(Series.state) == SeriesState.LEASED
            return statement.join(Series, col(Match.series) == col(Series.id)).where(
                col(Match.state) == MatchState.PLANNED,
                leased if standing is Standing.RUNNING else ~leased,
            )
