"""Leases: a series belongs to one worker for a while, under a fence number that only grows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import changed
from arena_service.store.metrics import count_given_back
from arena_service.store.states import AttemptOutcome, EventState, SeriesState
from arena_service.store.tables import Attempt, Event, Match, Series
from engine_service.logs import get_logger

log = get_logger("interrex.work")

MAX_DETAIL = 2000
LONGEST_PAUSE = timedelta(seconds=60)
SKEW = timedelta(seconds=10)  # clocks of different machines are never quite the same
LEASE_MARGIN_SECONDS = 10.0
RENEWED_FROM = 1 / 4  # of a lease: before that is used, progress does not write


def give_back(
    session: Session, held: Series, now: datetime, outcome: AttemptOutcome, cause: str, detail: str
) -> bool:
    """End a lease and its open attempts; False when somebody else was quicker."""
    pause = min(LONGEST_PAUSE, timedelta(seconds=2 ** min(held.failures, 10)))
    statement = (
        update(Series)
        .where(*holds(held.id, held.fence), col(Series.lease_until) == held.lease_until)
        .values(
            state=SeriesState.WAITING,
            worker=None,
            lease_until=None,
            progress={},
            failures=col(Series.failures) + 1,
            not_before=now + pause if outcome is AttemptOutcome.FAILED else None,
        )
    )
    if changed(session, statement) != 1:
        return False
    count_given_back(session, outcome, cause)
    open_ones = (
        update(Attempt)
        .where(
            col(Attempt.series) == held.id,
            col(Attempt.fence) == held.fence,
            col(Attempt.outcome) == AttemptOutcome.OPEN,
        )
        .values(outcome=outcome, cause=cause, detail=detail[:MAX_DETAIL], ended_at=now)
        .returning(col(Attempt.match), col(Attempt.id), col(Attempt.worker))
    )
    for match, attempt, worker in session.execute(open_ones).all():
        log.warning(
            f"attempt {outcome}",
            event_id=held.event,
            series_id=held.id,
            fence=held.fence,
            match_id=match,
            attempt_id=attempt,
            worker=worker,
            cause=cause,
            detail=detail.partition("\n")[0],
        )
    return True


def lease_length(session: Session, series: Series, at_least: float) -> timedelta:
    """What is left of it when progress stops renewing outlasts the longest silence of honest bots.

    That is starting every seat and then one answer, each up to its wall cap; one cap may last twice
    as long: on a stalled host it grows.
    """
    limits = series.limits
    seats = session.scalar(select(func.max(col(Match.seats))).where(col(Match.series) == series.id))
    start = max(5.0, 5 * limits["start_cpu_ms"] / 1000)
    answer = max(5.0, 5 * (limits["move_cpu_ms"] + limits["bank_cpu_ms"]) / 1000)
    longest = start * (seats or 2) + answer + max(start, answer)
    return timedelta(seconds=max(at_least, (longest + LEASE_MARGIN_SECONDS) / (1 - RENEWED_FROM)))


def claim(
    session: Session, worker: str, now: datetime, length: Callable[[Session, Series], timedelta]
) -> Series | None:
    """Lease the first series that waits and may be played now to `worker`; None: there is none."""
    waiting = (
        select(Series)
        .where(
            col(Series.state) == SeriesState.WAITING,
            rested(now),
            ~rests(),
        )
        .order_by(
            col(Series.priority),
            col(Series.turn),
            col(Series.created_at),
            col(Series.position),
            col(Series.id),
        )
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = session.scalar(waiting)
    if found is None:
        return None
    until = now + length(session, found)
    statement = (
        update(Series)
        .where(
            col(Series.id) == found.id,
            col(Series.state) == SeriesState.WAITING,
            col(Series.fence) == found.fence,
        )
        .values(
            state=SeriesState.LEASED,
            fence=found.fence + 1,
            worker=worker,
            lease_until=until,
            renewed_at=now,
            progress={},
        )
        .execution_options(synchronize_session=False)
    )
    if changed(session, statement) != 1:
        return None
    session.refresh(found)
    return found


def rested(now: datetime) -> ColumnElement[bool]:
    """The condition that a series is in no pause after a failure.

    A pause that would last longer than any was begun before the clock was set back.
    """
    until = col(Series.not_before)
    return until.is_(None) | (until <= now) | (until > now + LONGEST_PAUSE + SKEW)


def rests() -> ColumnElement[bool]:
    """The condition that a series is of an event that is paused."""
    paused = select(col(Event.id)).where(
        col(Event.id) == col(Series.event), col(Event.state) == EventState.PAUSED
    )
    return paused.exists()


def holds(series: str, fence: int) -> tuple[Any, ...]:
    """The conditions of the series that is leased under this fence number."""
    return (
        col(Series.id) == series,
        col(Series.fence) == fence,
        col(Series.state) == SeriesState.LEASED,
    )


def held_series(series: str, fence: int) -> Any:
    """Selects that series."""
    return select(Series).where(*holds(series, fence))
