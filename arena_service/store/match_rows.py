"""Rows of the list of matches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.states import MatchState, SeriesState
from arena_service.store.tables import (
    Account,
    Bot,
    BotVersion,
    Match,
    MatchSeat,
    Pair,
    Result,
    SeatResult,
    Series,
)


@dataclass(frozen=True)
class PlayerRow:
    """Who sat on a seat and what came of it; rank and credit once there are any."""

    bot: str
    owner: str
    version: int
    version_id: str
    rank: int | None
    credit: float | None
    cpu_ms: float | None


@dataclass(frozen=True)
class MatchRow:
    """A match; `state` is waiting, running, finished or cancelled; players by seat."""

    id: str
    event: str
    pair: int
    leg: int
    kind: str
    game: str
    state: str
    ending: str | None
    at_fault: int | None
    players: tuple[PlayerRow, ...]
    plies: int
    finished_at: datetime | None


def match_rows(session: Session, ids: list[str]) -> list[MatchRow]:
    """The rows of these matches, in their order."""
    if not ids:
        return []
    players = _players(session, ids)
    found = session.execute(
        select(Match, col(Pair.number), col(Series.state))
        .outerjoin(Pair, col(Match.pair) == col(Pair.id))
        .outerjoin(Series, col(Match.series) == col(Series.id))
        .where(col(Match.id).in_(ids))
    )
    results = {
        match: (ending, fault, plies, at)
        for match, ending, fault, plies, at in session.execute(
            select(  # type: ignore[call-overload]
                Result.match, Result.ending, Result.at_fault, Result.plies, Result.accepted_at
            ).where(col(Result.match).in_(ids))
        )
    }
    rows = {}
    for match, pair, series in found:
        ending, fault, plies, at = results.get(match.id, (None, None, 0, None))
        rows[match.id] = MatchRow(
            id=match.id,
            event=match.event or "",
            pair=pair or 0,
            leg=match.leg,
            kind=match.kind,
            game=match.game,
            state=_state(match.state, series),
            ending=ending,
            at_fault=fault,
            players=tuple(players[match.id]),
            plies=plies,
            finished_at=at,
        )
    return [rows[each] for each in ids]


def _state(match: str, series: str | None) -> str:
    if match != MatchState.PLANNED:
        return match
    return "running" if series == SeriesState.LEASED else "waiting"


def _players(session: Session, ids: list[str]) -> dict[str, list[PlayerRow]]:
    found = session.execute(
        select(MatchSeat, BotVersion, Bot, col(Account.name), SeatResult)
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .outerjoin(
            SeatResult,
            (col(SeatResult.match) == col(MatchSeat.match))
            & (col(SeatResult.seat) == col(MatchSeat.seat)),
        )
        .where(col(MatchSeat.match).in_(ids))
        .order_by(col(MatchSeat.seat))
    )
    players: dict[str, list[PlayerRow]] = defaultdict(list)
    for seat, version, bot, owner, result in found:
        # An outer join: mypy cannot know that there may be no result yet.
        got: SeatResult | None = result
        players[seat.match].append(
            PlayerRow(
                bot=bot.name,
                owner=owner,
                version=version.number,
                version_id=version.id,
                rank=got.rank if got else None,
                credit=got.credit if got else None,
                cpu_ms=got.cpu_ms if got else None,
            )
        )
    return players
