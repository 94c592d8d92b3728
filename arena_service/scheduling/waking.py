"""How many match slots to wake: at most one token per free slot, or tokens expire unread."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from arena_service.status.report import LOST_SECONDS
from arena_service.store.database import Database
from arena_service.store.queries import waiting_series
from arena_service.store.states import SeriesState
from arena_service.store.tables import Process, Series
from arena_service.work import POLLING, WOKEN, slot_name

TOKENS_AT_MOST = 16


def tokens(db: Database, now: datetime) -> int:
    """One per series that waits, bounded by the slots that live and hold no lease.

    One goes out where no slot is known to live: signs of life may be what is missing. Slots that
    poll need none.
    """
    waiting = waiting_series(db, now)
    return min(TOKENS_AT_MOST, waiting, _free(db, now)) if waiting else 0


def _free(db: Database, now: datetime) -> int:
    alive = select(col(Process.kind), col(Process.host), col(Process.pid)).where(
        col(Process.kind).in_([WOKEN, POLLING]),
        col(Process.seen_at) > now - timedelta(seconds=LOST_SECONDS),
    )
    leasing = select(col(Series.worker)).where(col(Series.state) == SeriesState.LEASED)
    with db.read() as session:
        living = session.execute(alive).all()
        woken = {slot_name(host, pid) for kind, host, pid in living if kind == WOKEN}
        return len(woken.difference(session.scalars(leasing))) if living else 1
