"""Accepting an outcome: one transaction, once, or not at all.

The same post again is a quiet no-op. A late or contradicting one is refused and recorded.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats.credit import credits_of
from arena_service.store import checks, fault_streaks
from arena_service.store.database import changed
from arena_service.store.evidence import evidence_row
from arena_service.store.leases import holds
from arena_service.store.posts import problem_of, replay_bytes
from arena_service.store.states import COUNTED, AttemptOutcome, MatchKind, MatchState, SeriesState
from arena_service.store.tables import (
    Account,
    Attempt,
    Bot,
    BotVersion,
    Ledger,
    Match,
    MatchSeat,
    Refusal,
    Result,
    SeatResult,
    Series,
)
from arena_service.work import AcceptedOutcome
from engine_service.logs import get_logger

log = get_logger("interrex.work")

MAX_REFUSALS = 20


def accept_outcome(
    session: Session, series: str, fence: int, outcome: AcceptedOutcome, now: datetime
) -> bool:
    """Write result, seat results, replay, evidence and ledger row; True when they stand.

    What follows for the versions that played is part of it: a check is judged, faults are counted.
    """
    match = session.get(Match, outcome.match_id, with_for_update=True)
    if match is None or match.series != series:
        return False
    digest = str(outcome.replay.get("digest", ""))
    attempt = session.scalar(
        select(Attempt).where(col(Attempt.match) == match.id, col(Attempt.fence) == fence)
    )
    stored = session.get(Result, match.id)
    if stored is not None:
        if attempt is not None and stored.attempt == attempt.id and stored.digest == digest:
            return True
        return _refuse(session, match, fence, "contradicts the result there is", digest, now)
    if attempt is None or attempt.outcome != AttemptOutcome.OPEN:
        return _refuse(session, match, fence, "the lease is lost", digest, now)
    problem = problem_of(match, outcome)
    if problem:
        return _refuse(session, match, fence, problem, digest, now)
    held = update(Series).where(*holds(series, fence)).values(fence=fence)
    finished = (
        update(Match)
        .where(col(Match.id) == match.id, col(Match.state) == MatchState.PLANNED)
        .values(state=MatchState.FINISHED)
    )
    if changed(session, held) != 1 or changed(session, finished) != 1:
        return _refuse(session, match, fence, "the lease is lost", digest, now)
    _write(session, match, attempt, outcome, digest, now)
    _finish_series(session, series)
    log.info(
        "attempt accepted",
        event_id=match.event,
        series_id=series,
        fence=fence,
        match_id=match.id,
        attempt_id=attempt.id,
        ending=outcome.replay["result"]["ending"],
        at_fault=outcome.replay["result"]["at_fault"],
        plies=len(outcome.replay["plies"]),
        seconds=round((now - attempt.started_at).total_seconds(), 2),
    )
    if match.kind == MatchKind.CHECK:
        checks.settle(session, series, now)
    return True


def _refuse(
    session: Session, match: Match, fence: int, reason: str, digest: str, now: datetime
) -> bool:
    log.warning(
        "attempt refused",
        event_id=match.event,
        series_id=match.series,
        fence=fence,
        match_id=match.id,
        cause=reason,
    )
    count = select(func.count()).where(col(Refusal.match) == match.id)
    if (session.scalar(count) or 0) < MAX_REFUSALS:
        session.add(
            Refusal(
                match=match.id,
                series=match.series or "",
                fence=fence,
                reason=reason,
                digest=digest[:64],
                created_at=now,
            )
        )
    return False


def _write(
    session: Session,
    match: Match,
    attempt: Attempt,
    outcome: AcceptedOutcome,
    digest: str,
    now: datetime,
) -> None:
    result = outcome.replay["result"]
    replay = {**outcome.replay, "players": _players(session, match)}
    row = Result(
        match=match.id,
        attempt=attempt.id,
        ending=result["ending"],
        at_fault=result["at_fault"],
        plies=len(replay["plies"]),
        digest=digest,
        replay=replay_bytes(replay),
        accepted_at=now,
    )
    session.add(row)
    ranks = result["ranks"] if result["ending"] != "no_contest" else None
    teams = replay.get("teams")
    credits = None if ranks is None else credits_of(ranks, teams)
    for seat, cpu in enumerate(outcome.seat_cpu_ms):
        session.add(
            SeatResult(
                match=match.id,
                seat=seat,
                rank=None if ranks is None else ranks[seat],
                credit=None if credits is None else credits[seat],
                cpu_ms=float(cpu),
            )
        )
    for item in outcome.evidence:
        session.add(evidence_row(attempt.id, item))
    if credits is not None and match.kind in COUNTED:
        _add_to_ledger(session, match, credits, teams, digest)
    if match.kind == MatchKind.RATED:
        broke = {int(item["seat"]) for item in outcome.evidence if item.get("limit")}
        fault_streaks.count(session, match, row, broke, now)
    attempt.outcome, attempt.ended_at = AttemptOutcome.ACCEPTED, now


def _players(session: Session, match: Match) -> list[dict[str, Any]]:
    found = session.execute(
        select(col(Account.name), col(Bot.name), col(BotVersion.number))
        .select_from(MatchSeat)
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(MatchSeat.match) == match.id)
        .order_by(col(MatchSeat.seat))
    )
    return [{"bot": f"{owner}/{bot}", "version": number} for owner, bot, number in found]


def _add_to_ledger(
    session: Session, match: Match, credits: list[float], teams: list[int] | None, digest: str
) -> None:
    seats = session.scalars(
        select(col(MatchSeat.bot_version))
        .where(col(MatchSeat.match) == match.id)
        .order_by(col(MatchSeat.seat))
    )
    row = {
        "match": match.id,
        "event": match.event,
        "pair": match.pair,
        "seats": list(seats),
        "credits": credits,
        "teams": teams,
        "digest": digest,
    }
    session.execute(insert(Ledger), [row])


def _finish_series(session: Session, series: str) -> None:
    session.flush()
    left = select(col(Match.id)).where(
        col(Match.series) == series, col(Match.state) == MatchState.PLANNED
    )
    if session.scalar(left.limit(1)) is None:
        session.execute(
            update(Series)
            .where(col(Series.id) == series, col(Series.state) == SeriesState.LEASED)
            .values(state=SeriesState.DONE, worker=None, lease_until=None)
        )
