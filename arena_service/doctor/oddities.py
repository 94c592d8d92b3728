"""What is no contradiction and still worth a look: named with its ids, never called an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import SHOWN, Oddity
from arena_service.store.progress import unplayed_series
from arena_service.store.states import (
    UNPLAYED,
    AttemptOutcome,
    EventState,
    SeriesState,
    VersionState,
)
from arena_service.store.tables import (
    Attempt,
    BotVersion,
    Event,
    Ladder,
    Match,
    Refusal,
    Result,
    Series,
)

LONG = timedelta(minutes=10)
LEASE_OVERDUE = timedelta(seconds=60)
MANY_FAILURES = 5


def oddities(session: Session, now: datetime) -> list[Oddity]:
    """All of them, at most SHOWN of a kind."""
    kinds: tuple[Callable[[Session, datetime], Iterator[Oddity]], ...] = (
        _refusals,
        _forgotten_attempts,
        _overdue_leases,
        _failing_series,
        _idle_events,
        _overdue_slots,
        _long_checks,
    )
    return [oddity for kind in kinds for oddity in kind(session, now)]


def _refusals(session: Session, _now: datetime) -> Iterator[Oddity]:
    counts = select(col(Refusal.reason), func.count(), func.max(col(Refusal.created_at)))
    found = session.execute(counts.group_by(col(Refusal.reason)).order_by(col(Refusal.reason)))
    for reason, count, last in found.all():
        examples = (
            select(col(Refusal.match)).where(col(Refusal.reason) == reason).distinct().limit(3)
        )
        matches = ", ".join(session.scalars(examples))
        yield Oddity("refused posts", reason, f"{count}, the last at {last}; matches {matches}")


def _forgotten_attempts(session: Session, _now: datetime) -> Iterator[Oddity]:
    held = (col(Series.state) == SeriesState.LEASED) & (col(Series.fence) == col(Attempt.fence))
    statement = (
        select(col(Attempt.id), col(Attempt.match), col(Attempt.worker), col(Attempt.started_at))
        .join(Series, col(Attempt.series) == col(Series.id))
        .where(col(Attempt.outcome) == AttemptOutcome.OPEN, ~held)
        .order_by(col(Attempt.started_at))
    )
    for attempt, match, worker, started in session.execute(statement.limit(SHOWN)):
        text = f"of match {match} by {worker} since {started}; its series is not leased so"
        yield Oddity("open attempts", f"attempt {attempt}", text)


def _overdue_leases(session: Session, now: datetime) -> Iterator[Oddity]:
    overdue = (col(Series.state) == SeriesState.LEASED) & (
        col(Series.lease_until) < now - LEASE_OVERDUE
    )
    for row in session.scalars(select(Series).where(overdue).limit(SHOWN)):
        text = f"held by {row.worker}, ran out at {row.lease_until}; does the control worker run?"
        yield Oddity("leases long over", f"series {row.id}", text)


def _failing_series(session: Session, _now: datetime) -> Iterator[Oddity]:
    failing = select(Series).where(
        col(Series.failures) >= MANY_FAILURES,
        col(Series.state).in_(UNPLAYED),
    )
    for row in session.scalars(failing.order_by(col(Series.failures).desc()).limit(SHOWN)):
        last = session.scalar(
            select(Attempt)
            .where(col(Attempt.series) == row.id, col(Attempt.cause).is_not(None))
            .order_by(col(Attempt.fence).desc())
            .limit(1)
        )
        why = "" if last is None else f"; last {last.cause}: {last.detail}"
        yield Oddity("failing series", f"series {row.id}", f"failed {row.failures} times{why}")


def _idle_events(session: Session, now: datetime) -> Iterator[Oddity]:
    last = (
        select(func.max(col(Result.accepted_at)))
        .join(Match, col(Result.match) == col(Match.id))
        .where(col(Match.event) == col(Event.id))
        .scalar_subquery()
    )
    since = func.coalesce(last, col(Event.closed_at))
    idle = select(col(Event.id), since).where(
        col(Event.state) == EventState.RUNNING, ~unplayed_series(), since < now - LEASE_OVERDUE
    )
    for event, at in session.execute(idle.limit(SHOWN)):
        text = f"has nothing left to play since {at} and is not complete"
        yield Oddity("events that do not end", f"event {event}", text)


def _overdue_slots(session: Session, now: datetime) -> Iterator[Oddity]:
    busy = (
        select(col(Event.id))
        .where(col(Event.ladder) == col(Ladder.id), col(Event.state) == EventState.RUNNING)
        .exists()
    )
    overdue = select(Ladder).where(col(Ladder.next_due) < now - LONG, ~busy)
    for row in session.scalars(overdue.order_by(col(Ladder.next_due)).limit(SHOWN)):
        text = f"{row.name}: its slot is due since {row.next_due}; does the arena run?"
        yield Oddity("overdue slots", f"ladder {row.id}", text)


def _long_checks(session: Session, now: datetime) -> Iterator[Oddity]:
    long = (col(BotVersion.state) == VersionState.CHECKING) & (
        col(BotVersion.state_since) < now - LONG
    )
    order = col(BotVersion.state_since)
    for row in session.scalars(select(BotVersion).where(long).order_by(order).limit(SHOWN)):
        text = f"version {row.number} of bot {row.bot} is checked since {row.state_since}"
        yield Oddity("long checks", f"version {row.id}", text)
