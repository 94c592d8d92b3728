"""Check matches: planned with a new version, judged when the last of them has its result."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.quotas import Quotas
from arena_service.scheduling.checks import Check
from arena_service.store import usage
from arena_service.store.database import changed
from arena_service.store.states import (
    UNPLAYED,
    MatchKind,
    MatchState,
    Priority,
    SeriesState,
    VersionState,
)
from arena_service.store.tables import (
    Bot,
    BotVersion,
    Evidence,
    Match,
    MatchSeat,
    Result,
    Series,
)
from arena_service.store.terms import DEFAULT_LIMITS
from arena_service.verdicts import (
    NOTHING_KEPT,
    CheckedMatch,
    CheckedSeat,
    failed_check,
    verdict,
)
from engine_service.core.seeds import BOT_SEED_BYTES, SEED_BYTES


def begin(
    session: Session,
    owner: str,
    version: BotVersion,
    checks: Sequence[Check],
    quotas: Quotas,
    now: datetime,
) -> None:
    """Plan a match for each check; a version with none to play is active at once.

    The caller holds the account of the `owner`. Raises QuotaError when too many checks wait.
    """
    version.state, version.reason, version.state_since = VersionState.ACTIVE, "", now
    version.faults_in_a_row = 0
    if not checks:
        return
    usage.check_waiting(session, owner, version.id, quotas)
    series = Series(
        priority=Priority.CHECK,
        turn=_turn(session, owner),
        position=0,
        limits=dict(DEFAULT_LIMITS),
        created_at=now,
    )
    session.add(series)
    session.flush()
    for position, check in enumerate(checks):
        _plan_match(session, series, position, check, version.id, now)
    version.state, version.check_series = VersionState.CHECKING, series.id


def settle(session: Session, series: str, now: datetime) -> None:
    """Once every match of a check has a result, let the version play or say why it may not."""
    session.flush()
    left = select(col(Match.id)).where(
        col(Match.series) == series, col(Match.state) == MatchState.PLANNED
    )
    if session.scalar(left.limit(1)) is not None:
        return
    reason = verdict(_played(session, series))
    session.execute(
        update(BotVersion)
        .where(
            col(BotVersion.check_series) == series,
            col(BotVersion.state) == VersionState.CHECKING,
        )
        .values(
            state=VersionState.FAILED if reason else VersionState.ACTIVE,
            reason=failed_check(reason) if reason else "",
            state_since=now,
        )
    )


def cancel(session: Session, series: str) -> None:
    """Take back a check that nobody plays yet."""
    waiting = (
        update(Series)
        .where(col(Series.id) == series, col(Series.state) == SeriesState.WAITING)
        .values(state=SeriesState.CANCELLED)
    )
    if changed(session, waiting) == 1:
        session.execute(
            update(Match)
            .where(col(Match.series) == series, col(Match.state) == MatchState.PLANNED)
            .values(state=MatchState.CANCELLED)
        )


def matches_of(session: Session, series: str | None) -> list[str]:
    """The ids of the matches of a check, in the order of the games in the manifest."""
    found = select(col(Match.id)).where(col(Match.series) == series).order_by(col(Match.position))
    return list(session.scalars(found))


def _turn(session: Session, owner: str) -> int:
    """One behind the account's own last check, but never before the turn that is played now.

    So accounts take turns, however many checks one of them has, and none waits for ever.
    """
    unplayed = session.execute(
        select(col(Series.turn), col(Bot.owner))
        .join(BotVersion, col(BotVersion.check_series) == col(Series.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .where(col(Series.priority) == Priority.CHECK, col(Series.state).in_(UNPLAYED))
    ).all()
    now_played = min((turn for turn, _ in unplayed), default=0)
    return max([now_played, *(turn + 1 for turn, account in unplayed if account == owner)])


def _plan_match(
    session: Session, series: Series, position: int, check: Check, version: str, now: datetime
) -> None:
    match = Match(
        series=series.id,
        leg=0,
        seed=secrets.token_hex(SEED_BYTES),
        kind=MatchKind.CHECK,
        game=check.game,
        rules_version=check.rules_version,
        options=check.options,
        seats=check.seats,
        position=position,
        created_at=now,
    )
    session.add(match)
    session.flush()
    for seat in range(check.seats):
        seed = secrets.token_hex(BOT_SEED_BYTES)
        session.add(MatchSeat(match=match.id, seat=seat, bot_version=version, bot_seed=seed))
    session.flush()


def _played(session: Session, series: str) -> list[CheckedMatch]:
    found = session.execute(
        select(Match, Result)
        .join(Result, col(Result.match) == col(Match.id))
        .where(col(Match.series) == series)
        .order_by(col(Match.position))
    )
    return [_checked(session, match, result) for match, result in found]


def _checked(session: Session, match: Match, result: Result) -> CheckedMatch:
    found = session.scalars(select(Evidence).where(col(Evidence.attempt) == result.attempt))
    kept = {
        row.seat: CheckedSeat(row.limit, bool(row.cpu_per_ply), row.stderr_tail) for row in found
    }
    return CheckedMatch(
        game=match.game,
        ending=result.ending,
        at_fault=result.at_fault,
        plies=result.plies,
        seats=tuple(kept.get(seat, NOTHING_KEPT) for seat in range(match.seats)),
    )
