"""What the row of a version remembers of its matches: its record, and its faults in a row.

A version that loses again and again by its own fault is taken out, so that others may play.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats.credit import Fared, fared
from arena_service.store.database import Database, changed
from arena_service.store.faults import own_fault, seats_at_fault
from arena_service.store.states import MatchKind, VersionState
from arena_service.store.tables import Bot, BotVersion, Match, MatchSeat, Result, SeatResult
from arena_service.verdicts import disabled_by_faults

MAX_IN_A_ROW = 10


@dataclass
class _Gained:
    """What a match adds to the record of a version, over its seats."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0

    def add(self, rank: int | None, credit: float | None, faulty: bool) -> None:
        """Count one seat; neither rank nor credit in a match that was no contest."""
        self.faults += faulty
        if rank is None or credit is None:
            return
        how = fared(rank == 1, credit)
        self.wins += how is Fared.WON
        self.draws += how is Fared.DRAWN
        self.losses += how is Fared.LOST


def count(session: Session, match: Match, result: Result, broke: set[int], now: datetime) -> None:
    """Count an accepted rated match for those who played it; `broke` are the seats over a limit."""
    at_fault = seats_at_fault(result, broke)
    seats = session.execute(
        select(MatchSeat, SeatResult)
        .join(
            SeatResult,
            (col(SeatResult.match) == col(MatchSeat.match))
            & (col(SeatResult.seat) == col(MatchSeat.seat)),
        )
        .where(col(MatchSeat.match) == match.id)
    )
    gained: dict[str, _Gained] = defaultdict(_Gained)
    for row, got in seats:
        gained[row.bot_version].add(got.rank, got.credit, row.seat in at_fault)
    # In one order everywhere: two matches of the same versions never wait for each other.
    for version in sorted(gained):
        _add(session, version, gained[version])
        if gained[version].faults:
            _judge(session, version, now)


def recent(db: Database, version: str, limit: int) -> list[str]:
    """The ids of the rated matches that a version lost by its own fault, the newest first."""
    with db.read() as session:
        return [match for match, _ in session.execute(_faults(version).limit(limit))]


def _add(session: Session, version: str, gained: _Gained) -> None:
    in_a_row = col(BotVersion.faults_in_a_row) + 1 if gained.faults else 0
    session.execute(
        update(BotVersion)
        .where(col(BotVersion.id) == version)
        .values(
            faults_in_a_row=in_a_row,
            wins=col(BotVersion.wins) + gained.wins,
            draws=col(BotVersion.draws) + gained.draws,
            losses=col(BotVersion.losses) + gained.losses,
            faults=col(BotVersion.faults) + gained.faults,
        )
    )


def _judge(session: Session, version: str, now: datetime) -> None:
    """Take a version out whose faults are too many."""
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
