"""A version that loses again and again by its own fault is taken out, so that others may play."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import Database, changed
from arena_service.store.faults import own_fault, seats_at_fault
from arena_service.store.states import MatchKind, VersionState
from arena_service.store.tables import Bot, BotVersion, Match, MatchSeat, Result
from arena_service.verdicts import disabled_by_faults

MAX_IN_A_ROW = 10


def count(session: Session, match: Match, result: Result, broke: set[int], now: datetime) -> None:
    """Count an accepted rated match for those who played it; `broke` are the seats over a limit."""
    at_fault = seats_at_fault(result, broke)
    seats = session.scalars(select(MatchSeat).where(col(MatchSeat.match) == match.id))
    faulty: dict[str, bool] = {}
    for row in seats:
        faulty[row.bot_version] = faulty.get(row.bot_version, False) or row.seat in at_fault
    # In one order everywhere: two matches of the same versions never wait for each other.
    for version in sorted(faulty):
        if faulty[version]:
            _add(session, version, now)
        else:
            _clear(session, version)


def recent(db: Database, version: str, limit: int) -> list[str]:
    """The ids of the rated matches that a version lost by its own fault, the newest first."""
    with db.read() as session:
        return [match for match, _ in session.execute(_faults(version).limit(limit))]


def _add(session: Session, version: str, now: datetime) -> None:
    session.execute(
        update(BotVersion)
        .where(col(BotVersion.id) == version)
        .values(faults_in_a_row=col(BotVersion.faults_in_a_row) + 1)
    )
    disabled = (
        update(BotVersion)
        .where(
            col(BotVersion.id) == version,
            col(BotVersion.state) == VersionState.ACTIVE,
            col(BotVersion.faults_in_a_row) >= MAX_IN_A_ROW,
        )
        .values(state=VersionState.DISABLED, state_since=now)
    )
    if changed(session, disabled) == 1:
        reason = _reason(session, version)
        session.execute(
            update(BotVersion).where(col(BotVersion.id) == version).values(reason=reason)
        )


def _clear(session: Session, version: str) -> None:
    session.execute(
        update(BotVersion)
        .where(col(BotVersion.id) == version, col(BotVersion.faults_in_a_row) > 0)
        .values(faults_in_a_row=0)
    )


def _reason(session: Session, version: str) -> str:
    session.flush()
    faults = session.execute(_faults(version).limit(MAX_IN_A_ROW))
    bot = session.scalars(
        select(col(Bot.name))
        .join(BotVersion, col(BotVersion.bot) == col(Bot.id))
        .where(col(BotVersion.id) == version)
    ).one()
    return disabled_by_faults(bot, [ending for _, ending in faults])


def _faults(version: str) -> Select[str, str]:
    """Match and ending of the rated matches lost by own fault, the newest first."""
    return (
        select(col(Match.id), col(Result.ending))
        .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
        .join(Result, col(Result.match) == col(Match.id))
        .where(
            col(MatchSeat.bot_version) == version,
            col(Match.kind) == MatchKind.RATED,
            own_fault(),
        )
        .order_by(col(Result.accepted_at).desc(), col(Match.position).desc())
    )
