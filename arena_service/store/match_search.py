"""The list of matches, narrowed down by what a reader asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, Select, case, exists, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.faults import own_fault
from arena_service.store.match_rows import MatchRow, match_rows
from arena_service.store.states import ENDED, EventState, MatchState, SeriesState
from arena_service.store.tables import (
    BotVersion,
    Entrant,
    Event,
    Match,
    MatchSeat,
    Result,
    Round,
    Series,
)

MAX_PAGE = 500
UNENDED = frozenset(EventState) - ENDED


class Standing(StrEnum):
    """Which matches are wanted, by where they stand."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAULT = "fault"


@dataclass(frozen=True)
class MatchSearch:
    """What is wanted, by ids; None leaves it open. `bot` and `against` sat in the same match.

    With a bot, faults are its own.
    """

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    against: str | None = None
    standing: Standing | None = None


def search(db: Database, wanted: MatchSearch, limit: int = 50, offset: int = 0) -> list[MatchRow]:
    """Matches of ladders and tournaments, the newest event first.

    Within an event what was played, the latest first; then what is still to be played, in order.
    """
    statement = select(col(Match.id)).where(col(Match.event).is_not(None))
    if wanted.ladder is not None:
        statement = statement.where(_of(col(Event.ladder) == wanted.ladder))
    if wanted.tournament is not None:
        statement = statement.where(_of(col(Event.tournament) == wanted.tournament))
    for bot in (wanted.bot, wanted.against):
        if bot is not None:
            statement = statement.where(_sat(bot))
    order = (col(Match.created_at).desc(), col(Match.event), _played_backwards())
    page = _standing(statement, wanted).order_by(*order)
    page = page.limit(min(max(limit, 0), MAX_PAGE)).offset(max(offset, 0))
    with db.read() as session:
        for bot in (wanted.bot, wanted.against):
            if bot is not None and (until := _last_planned(session, bot)) is not None:
                page = page.where(col(Match.created_at) <= until)
        return match_rows(session, list(session.scalars(page)))


def _played_backwards() -> ColumnElement[int]:
    position = col(Match.position)
    return case((col(Match.state) == MatchState.FINISHED, -position), else_=position)


def _of(scope: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists(select(1).where(col(Event.id) == col(Match.event), scope))


def _sat(bot: str) -> ColumnElement[bool]:
    return exists(
        select(1)
        .select_from(MatchSeat)
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .where(col(MatchSeat.match) == col(Match.id), col(BotVersion.bot) == bot)
    )


def _last_planned(session: Session, bot: str) -> datetime | None:
    """No match of a bot was planned later; None where more may be: an event of its has not ended.

    Its matches are found going back in time: one that left long ago is not looked for since.
    """
    versions = select(col(BotVersion.id)).where(col(BotVersion.bot) == bot)
    entered = (
        col(Entrant.event) == col(Event.id),
        col(Entrant.bot_version).in_(versions),
    )
    going_on = select(col(Event.id)).where(col(Event.state).in_(UNENDED), *entered)
    if session.scalar(going_on.limit(1)) is not None:
        return None
    ended = (
        select(
            func.max(col(Event.completed_at)),
            func.max(col(Event.closed_at)),
            func.max(col(Round.planned_at)),
        )
        .join(Entrant, entered[0])
        .outerjoin(Round, col(Round.event) == col(Event.id))
        .where(entered[1])
    )
    return max(filter(None, session.execute(ended).one()), default=None)


def _failed(bot: str | None) -> ColumnElement[bool]:
    """Some seat was at fault, of this bot if one is named."""
    seats = (
        select(col(MatchSeat.match))
        .join(Result, col(Result.match) == col(MatchSeat.match))
        .where(own_fault())
    )
    if bot is None:
        return exists(seats.where(col(MatchSeat.match) == col(Match.id)))
    # A bot has few faults: found by its seats, not by going through all matches.
    versions = select(col(BotVersion.id)).where(col(BotVersion.bot) == bot)
    return col(Match.id).in_(seats.where(col(MatchSeat.bot_version).in_(versions)))


def _standing(statement: Select[str], wanted: MatchSearch) -> Select[str]:
    match wanted.standing:
        case None:
            return statement
        case Standing.FINISHED:
            return statement.where(col(Match.state) == MatchState.FINISHED)
        case Standing.FAULT:
            return statement.where(_failed(wanted.bot))
        case Standing.WAITING | Standing.RUNNING:
            leased = col(Series.state) == SeriesState.LEASED
            return statement.join(Series, col(Match.series) == col(Series.id)).where(
                col(Match.state) == MatchState.PLANNED,
                leased if wanted.standing is Standing.RUNNING else ~leased,
            )
