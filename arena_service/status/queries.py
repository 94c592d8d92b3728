"""The report of an arena, read from its database."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.status.report import (
    BOT,
    LOST_SECONDS,
    CauseCount,
    ProcessRow,
    Queue,
    RunningMatch,
    Status,
)
from arena_service.status.succession import Place, places
from arena_service.store.database import Database
from arena_service.store.leases import rested
from arena_service.store.states import AttemptOutcome, MatchKind, MatchState, SeriesState, now_utc
from arena_service.store.tables import (
    Attempt,
    Bot,
    BotVersion,
    Event,
    Ladder,
    Match,
    MatchSeat,
    Pair,
    Process,
    Result,
    Series,
    Tournament,
)
from arena_service.verdicts import NOBODY_STARTED, OWN_FAULTS

CLOCK = "control"
CAUSES_WITHIN = timedelta(hours=24)
GOES_ON_SECONDS = 600.0
MAX_RUNNING = 200
MAX_PROCESSES = 500
MAX_WHAT = 200


def status(db: Database, now: datetime | None = None) -> Status:
    """The whole report; the caller shows `Status.seen_by` its viewer.

    Engine and broker have no place in the database: `probes` asks them.
    """
    moment = now or now_utc()
    with db.read() as session:
        return Status(
            queue=queue(session, moment),
            running=_running(session, moment),
            causes=_causes(session, moment),
            processes=_processes(session, moment),
        )


def queue(session: Session, now: datetime) -> Queue:
    """What waits and what moves, in a transaction of the caller."""

    def count(*conditions: Any) -> int:
        return session.scalar(select(func.count()).where(*conditions)) or 0

    waits = col(Series.state) == SeriesState.WAITING
    free = waits & rested(now)
    matches_waiting = (
        select(func.count(col(Match.id)))
        .join(Series, col(Match.series) == col(Series.id))
        .where(waits, col(Match.state) == MatchState.PLANNED)
    )
    ticked = select(func.max(col(Process.seen_at))).where(col(Process.kind) == CLOCK)
    return Queue(
        series_waiting=count(waits),
        series_leased=count(col(Series.state) == SeriesState.LEASED),
        matches_waiting=session.scalar(matches_waiting) or 0,
        oldest_seconds=_age(
            session.scalar(select(func.min(col(Series.created_at))).where(free)), now
        ),
        tick_seconds=_age(session.scalar(ticked), now),
        matches_last_minute=count(col(Result.accepted_at) > now - timedelta(minutes=1)),
    )


def _running(session: Session, now: datetime) -> tuple[RunningMatch, ...]:
    """Of each leased series the first match without a result: a slot plays them in their order."""
    found = session.execute(
        select(  # type: ignore[call-overload]
            Series, Match, Ladder.name, Tournament.name, Attempt.started_at, Bot.owner
        )
        .join(Match, col(Match.series) == col(Series.id))
        .join(
            Attempt,
            (col(Attempt.match) == col(Match.id)) & (col(Attempt.fence) == col(Series.fence)),
        )
        .join(MatchSeat, (col(MatchSeat.match) == col(Match.id)) & (col(MatchSeat.seat) == 0))
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .outerjoin(Pair, col(Match.pair) == col(Pair.id))
        .outerjoin(Event, col(Series.event) == col(Event.id))
        .outerjoin(Ladder, col(Event.ladder) == col(Ladder.id))
        .outerjoin(Tournament, col(Event.tournament) == col(Tournament.id))
        .where(col(Series.state) == SeriesState.LEASED, col(Match.state) == MatchState.PLANNED)
        .order_by(col(Series.id), col(Pair.number), col(Match.leg), col(Match.position))
    )
    first: dict[str, RunningMatch] = {}
    ended = _last_results(session)
    for series, match, ladder, tournament, leased_at, owner in found:
        if series.id in first:
            continue
        began = max(leased_at, ended.get(series.id, leased_at))
        first[series.id] = RunningMatch(
            match_id=match.id,
            competition=ladder or tournament or "",
            ply=series.progress.get(match.id, 0),
            seconds=max(0.0, (now - began).total_seconds()),
            private_to=owner if match.kind == MatchKind.CHECK else None,
        )
    longest = sorted(first.values(), key=lambda each: -each.seconds)
    return tuple(longest[:MAX_RUNNING])


def _last_results(session: Session) -> dict[str, datetime]:
    """By leased series: when its newest result was accepted."""
    rows = session.execute(
        select(col(Match.series), func.max(col(Result.accepted_at)))
        .join(Result, col(Result.match) == col(Match.id))
        .join(Series, col(Match.series) == col(Series.id))
        .where(col(Series.state) == SeriesState.LEASED)
        .group_by(col(Match.series))
    )
    return {series: at for series, at in rows if series is not None}


def _causes(session: Session, now: datetime) -> tuple[CauseCount, ...]:
    since = now - CAUSES_WITHIN
    faults = session.execute(
        select(col(Result.ending), func.count())
        .where(
            col(Result.accepted_at) > since, col(Result.ending).in_(OWN_FAULTS | {NOBODY_STARTED})
        )
        .group_by(col(Result.ending))
    )
    counts = [CauseCount(BOT, ending, count) for ending, count in faults]
    failed = (
        col(Attempt.ended_at) > since,
        col(Attempt.outcome).in_([AttemptOutcome.FAILED, AttemptOutcome.EXPIRED]),
        col(Attempt.cause).is_not(None),
    )
    unplayed = func.count().filter(col(Match.state) == MatchState.PLANNED)
    causes = session.execute(
        select(col(Attempt.cause), func.count(), func.max(col(Attempt.ended_at)), unplayed)
        .join(Match, col(Attempt.match) == col(Match.id))
        .where(*failed)
        .group_by(col(Attempt.cause))
    ).all()
    for cause, count, newest_at, waiting in causes:
        newest = (
            select(col(Attempt.detail))
            .where(*failed, col(Attempt.cause) == cause)
            .order_by(col(Attempt.ended_at).desc())
            .limit(1)
        )
        detail = (session.scalar(newest) or "").partition("\n")[0]
        goes_on = bool(waiting) or (_age(newest_at, now) or 0.0) < GOES_ON_SECONDS
        counts.append(CauseCount(cause or "", detail[:MAX_WHAT], count, goes_on))
    return tuple(sorted(counts, key=lambda each: (-each.count, each.cause, each.what)))


def _processes(session: Session, now: datetime) -> tuple[ProcessRow, ...]:
    """Those that live, and the lost ones whose place nobody has taken."""
    rows = session.scalars(
        select(Process).order_by(col(Process.seen_at).desc(), col(Process.id)).limit(MAX_PROCESSES)
    )
    found = places(rows, silent_since=now - timedelta(seconds=LOST_SECONDS))
    listed = [_process(place, now) for place in found]
    return tuple(sorted(listed, key=lambda row: (row.kind, row.host, row.pid)))


def _process(place: Place, now: datetime) -> ProcessRow:
    row = place.process
    return ProcessRow(
        kind=row.kind,
        host=row.host,
        pid=row.pid,
        seen_seconds=_age(row.seen_at, now) or 0.0,
        started_at=row.started_at,
        detail=row.detail,
        restarts=place.restarts,
    )


def _age(moment: datetime | None, now: datetime) -> float | None:
    return None if moment is None else max(0.0, (now - moment).total_seconds())
