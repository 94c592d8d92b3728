"""Workers at the API of a small arena, and what became of their work."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.remote.client import GrpcWork
from arena_service.store.database import Database
from arena_service.store.tables import Attempt
from arena_service.work import Assignment

PATIENCE_SECONDS = 60.0
Enter = Callable[..., GrpcWork]


def leased(work: GrpcWork) -> Assignment:
    found = work.lease("whoever")
    assert found is not None
    return found


def count(db: Database, table: type) -> int:
    with db.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def outcomes(db: Database) -> list[tuple[str, str]]:
    """Each outcome of an attempt once, with the worker's name."""
    with db.read() as session:
        rows = session.execute(select(col(Attempt.worker), col(Attempt.outcome)).distinct())
        return sorted((worker, ended) for worker, ended in rows)


def wait_for(probe: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not probe():
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.02)
