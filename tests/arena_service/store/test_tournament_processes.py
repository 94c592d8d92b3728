"""Several processes at one tournament: one plan, and a clean end in the middle of play."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier, Event

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.doctor.rounds import check_rounds
from arena_service.doctor.seeds import check_seeds
from arena_service.scheduling import slots
from arena_service.scheduling import tournaments as schedule
from arena_service.store import progress, tournaments
from arena_service.store.database import Database, open_database
from arena_service.store.errors import ConflictError
from arena_service.store.tables import Attempt, Entrant, Match, Pair, Result, Round, Series
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
    """Play a series, and another once the gate is open: most are left for whoever cancels."""
    db = open_database(url)
    work = StoreWork(db, 60)
    ready.wait()
    for _ in range(2):
        found = work.lease("w")
        for match in found.matches if found else ():
            assert found is not None
            work.progress(found.series, found.fence, {match.match_id: 1})
            if not work.accept(found.series, found.fence, outcome(match)):
                break
        gate.wait()
    db.close()


def _play_rounds(url: str, tournament: str, ready: Barrier, gate: Event) -> None:
    """Play and let the clock tick after every match, until the tournament has ended."""
    db = open_database(url)
    work, event = StoreWork(db, 60), tournaments.show(db, tournament).event
    ready.wait()
    while not gate.wait(0.02):
        found = work.lease("w")
        for match in found.matches if found else ():
            assert found is not None
            ranks = [1 if player == min(match.players) else 2 for player in match.players]
            assert work.accept(found.series, found.fence, outcome(match, ranks))
        slots.tick(db, datetime.now(UTC))
        if progress.event_progress(db, event).state == "complete":
            break
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


@pytest.mark.parametrize("format", ["swiss", "double_elimination"])
def test_workers_and_clocks_plan_every_round_once(
    database: Database, database_url: str, format: str
) -> None:
    cup = Cup(database, entries=5, pairs=1, format=format)
    event = cup.start(datetime.now(UTC)).event
    ready, gate = CONTEXT.Barrier(PROCESSES), CONTEXT.Event()
    children = _spawn(_play_rounds, database_url, cup.id, ready, gate)
    try:
        assert _codes(children) == [0] * PROCESSES
    finally:
        gate.set()
    assert cup.show().state == "complete"
    with database.read() as session:
        numbers = list(session.scalars(select(col(Round.number)).where(col(Round.event) == event)))
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        pairs = list(session.scalars(select(col(Pair.number)).order_by(col(Pair.number))))
        assert pairs == list(range(len(pairs)))
        assert set(session.scalars(select(col(Match.state)))) == {"finished"}
        rounds = list(session.scalars(select(Round)))
        assert all(row.closed_at is not None for row in rounds)
    proof = Proof("all", "")
    with database.snapshot() as session:
        check_rounds(session, proof)
        check_seeds(session, proof)
    assert not proof.problems


def _until_results(database: Database, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with database.read() as session:
            if (session.scalar(select(func.count()).select_from(Result)) or 0) >= wanted:
                return
        time.sleep(0.01)
    raise AssertionError(f"no {wanted} results within a minute")
