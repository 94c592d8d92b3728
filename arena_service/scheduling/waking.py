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

SLOTS = "matches"  # the kind of process that a match slot says it is
TOKENS_AT_MOST = 16


def slot_name(host: str, pid: int) -> str:
    """The name under which a slot leases."""
    return f"{host}-{pid}"


def tokens(db: Database, now: datetime) -> int:
    """One per series that waits, bounded by the slots that live and hold no lease.

    One goes out where no slot is known to live: signs of life may be what is missing.
    """
    waiting = waiting_series(db, now)
    return min(TOKENS_AT_MOST, waiting, _free(db, now)) if waiting else 0


def _free(db: Database, now: datetime) -> int:
    alive = select(col(Process.host), col(Process.pid)).where(
        col(Process.kind) == SLOTS, col(Process.seen_at) > now - timedelta(seconds=LOST_SECONDS)
    )
    leasing = select(col(Series.worker)).where(col(Series.state) == SeriesState.LEASED)
    with db.read() as session:
        living = {slot_name(host, pid) for host, pid in session.execute(alive)}
        return len(living.difference(session.scalars(leasing))) if living else 1
