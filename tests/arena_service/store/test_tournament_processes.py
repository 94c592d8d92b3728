"""Several processes at one tournament: one plan, and a clean end in the middle of play."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier, Event

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.scheduling import tournaments as schedule
from arena_service.store.database import Database, open_database
from arena_service.store.errors import ConflictError
from arena_service.store.tables import Attempt, Entrant, Match, Pair, Result, Series
from arena_service.store.work_store import StoreWork
from tests.arena_service.store.arena import NOON, outcome
from tests.arena_service.store.cup import Cup

PROCESSES = 3
# Forked from a clean server that has imported what is slow to import; no connection is inherited.
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["arena_service.scheduling.slots", "arena_service.store.queries"])
STARTED, REFUSED = 0, 7


def _start(url: str, tournament: str, ready: Barrier, _gate: Event) -> None:
    db = open_database(url)
    ready.wait()
    try:
        schedule.start(db, tournament, NOON)
    except ConflictError:
        raise SystemExit(REFUSED) from None
    finally:
        db.close()


def _play(url: str, _tournament: str, ready: Barrier, gate: Event) -> None:
    """Play until nothing waits, from the second series on only once the gate is open."""
    db = open_database(url)
    work = StoreWork(db, 60)
    ready.wait()
    while (found := work.lease("w")) is not None:
        for match in found.matches:
            work.progress(found.series, found.fence, {match.match_id: 1})
            if not work.accept(found.series, found.fence, outcome(match)):
                break
        gate.wait()
    db.close()


def _spawn(
    target: Callable[..., None], url: str, tournament: str, ready: Barrier, gate: Event
) -> list[ForkServerProcess]:
    children = [
        CONTEXT.Process(target=target, args=(url, tournament, ready, gate))
        for _ in range(PROCESSES)
    ]
    for child in children:
        child.start()
    return children


def _codes(children: list[ForkServerProcess]) -> list[int | None]:
    for child in children:
        child.join(60)
    return sorted((child.exitcode for child in children), key=str)


def test_of_starts_at_once_one_plans(database: Database, database_url: str) -> None:
    cup = Cup(database, entries=4)
    ready, gate = CONTEXT.Barrier(PROCESSES), CONTEXT.Event()
    children = _spawn(_start, database_url, cup.id, ready, gate)
    assert _codes(children) == [STARTED] + [REFUSED] * (PROCESSES - 1)
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Pair)) == 6 * 2
        assert session.scalar(select(func.count()).select_from(Entrant)) == 4


def test_a_cancel_in_the_middle_of_play_leaves_nothing_half_done(
    database: Database, database_url: str
) -> None:
    cup = Cup(database, entries=8, pairs=4)
    cup.start()
    ready, gate = CONTEXT.Barrier(PROCESSES + 1), CONTEXT.Event()
    children = _spawn(_play, database_url, cup.id, ready, gate)
    ready.wait(60)
    _until_results(database, PROCESSES * 8)
    gate.set()
    cup.cancel(datetime.now(UTC))
    assert _codes(children) == [0] * PROCESSES
    with database.read() as session:
        results = set(session.scalars(select(col(Result.match))))
        matches = {each.id: each.state for each in session.scalars(select(Match))}
        assert {match for match, state in matches.items() if state == "finished"} == results
        assert set(matches.values()) == {"finished", "cancelled"}
        assert set(session.scalars(select(col(Series.state)))) == {"done", "cancelled"}
        outcomes = set(session.scalars(select(col(Attempt.outcome))))
        assert outcomes <= {"accepted", "failed"}


def _until_results(database: Database, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with database.read() as session:
            if (session.scalar(select(func.count()).select_from(Result)) or 0) >= wanted:
                return
        time.sleep(0.01)
    raise AssertionError(f"no {wanted} results within a minute")
