"""Give back what workers no longer hold."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, select, update
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.leases import SKEW, give_back, holds
from arena_service.store.states import AttemptOutcome, Cause, SeriesState
from arena_service.store.tables import Series

AT_ONCE = 200


def expire_leases(db: Database, now: datetime) -> int:
    """End every lease that ran out; returns how many. Only unfinished matches are played again."""
    expired = (
        select(Series)
        .where(col(Series.state) == SeriesState.LEASED, col(Series.lease_until) < now)
        .limit(AT_ONCE)
    )
    with db.read() as session:
        found = list(session.scalars(expired))
    return sum(_expire(db, series, now) for series in found)


def follow_clock(db: Database, now: datetime) -> None:
    """Leases that begin in the future begin now.

    The clock was set back: what a dead worker held would not come back for as long.
    """
    with db.read() as session:
        ahead = list(session.scalars(select(Series).where(*_is_ahead(now)).limit(AT_ONCE)))
    for series in ahead:
        _begin_again(db, series, now)


def _begin_again(db: Database, series: Series, now: datetime) -> None:
    if series.lease_until is None or series.renewed_at is None:
        return
    length = series.lease_until - series.renewed_at
    statement = update(Series).where(*holds(series.id, series.fence), *_is_ahead(now))
    with db.write() as session:
        session.execute(statement.values(renewed_at=now, lease_until=now + length))


def _is_ahead(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(Series.state) == SeriesState.LEASED, col(Series.renewed_at) > now + SKEW


def _expire(db: Database, series: Series, now: datetime) -> bool:
    with db.write() as session:
        outcome, detail = AttemptOutcome.EXPIRED, "the lease ran out"
        return give_back(session, series, now, outcome, Cause.WORKER, detail)
