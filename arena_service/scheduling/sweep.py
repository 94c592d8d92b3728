"""Give back what workers no longer hold."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.leases import give_back
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


def _expire(db: Database, series: Series, now: datetime) -> bool:
    with db.write() as session:
        outcome, detail = AttemptOutcome.EXPIRED, "the lease ran out"
        return give_back(session, series, now, outcome, Cause.WORKER, detail)
