"""A process that is frozen in the middle of writing keeps nobody from the database for long."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from multiprocessing.synchronize import Event

import pytest
from sqlalchemy import select, update
from sqlmodel import col

from arena_service.scheduling import sweep
from arena_service.store import database as databases
from arena_service.store.database import Database
from arena_service.store.states import SeriesState, now_utc
from arena_service.store.tables import Series
from arena_service.store.work_store import StoreWork
from tests.arena_service.store.arena import SmallArena
from tests.arena_service.store.test_processes import CONTEXT


def _write_and_freeze(url: str, series: str, wrote: Event) -> None:
    databases.IDLE_SECONDS = 1
    db = databases.open_database(url)
    with db.write() as session:
        session.execute(update(Series).where(col(Series.id) == series).values(failures=7))
        wrote.set()
        os.kill(os.getpid(), signal.SIGSTOP)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_its_lease_is_taken_from_it(database: Database, database_url: str) -> None:
    SmallArena(database, entries=2, pairs=1).close()
    held = StoreWork(database, 60).lease("w")
    assert held is not None
    wrote = CONTEXT.Event()
    child = CONTEXT.Process(target=_write_and_freeze, args=(database_url, held.series, wrote))
    child.start()
    try:
        assert wrote.wait(60)
        assert sweep.expire_leases(database, now_utc() + timedelta(hours=1)) == 1
    finally:
        child.kill()
        child.join(10)
    with database.read() as session:
        row = session.scalars(select(Series)).one()
        assert (row.state, row.failures) == (SeriesState.WAITING, 1)
