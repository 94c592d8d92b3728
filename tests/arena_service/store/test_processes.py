"""Four processes at once on one database: nothing lost, nothing doubled."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import slots, sweep
from arena_service.store import ladders, queries
from arena_service.store.database import Database, open_database
from arena_service.store.tables import (
    Attempt,
    Entrant,
    Event,
    Ledger,
    Match,
    Result,
    SeatResult,
    Series,
)
from arena_service.store.work_store import StoreWork
from tests.arena_service.store.arena import SmallArena, outcome

PROCESSES = 4
# Forked from a clean server that has imported what is slow to import; no connection is inherited.
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["arena_service.scheduling.slots", "arena_service.store.queries"])


def _play(url: str, worker: str, start: object) -> None:
    """Lease and accept until nothing waits; every post twice, every third lease thrown away."""
    db = open_database(url)
    work, leases = StoreWork(db, 60), 0
    start.wait()  # type: ignore[attr-defined]
    while (found := work.lease(worker)) is not None:
        leases += 1
        for index, match in enumerate(found.matches):
            if leases % 3 == 0 and index == 1:
                work.fail(found.series, found.fence, "worker", "thrown away")
                break
            for _ in range(2):
                assert work.accept(found.series, found.fence, outcome(match))
    db.close()


def _tick(url: str, now: datetime, start: object) -> None:
    db = open_database(url)
    start.wait()  # type: ignore[attr-defined]
    for _ in range(3):
        sweep.expire_leases(db, now)
        slots.tick(db, now)
    db.close()


def _run(target: object, *arguments: object) -> None:
    start = CONTEXT.Barrier(PROCESSES)
    children = [
        CONTEXT.Process(
            target=target, args=(*(a(i) if callable(a) else a for a in arguments), start)
        )
        for i in range(PROCESSES)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0] * PROCESSES


def test_four_workers_give_every_match_one_result(database: Database, database_url: str) -> None:
    arena = SmallArena(database, entries=6, pairs=3)
    arena.close()
    _run(_play, database_url, lambda i: f"w{i}")
    _play_what_was_given_back(arena)
    with database.read() as session:
        matches = set(session.scalars(select(col(Match.id))))
        assert len(matches) == 15 * 3 * 2
        for table in (Result, Ledger):
            assert Counter(session.scalars(select(col(table.match)))) == Counter(matches)
        assert len(session.scalars(select(SeatResult)).all()) == 2 * len(matches)
        assert set(session.scalars(select(col(Series.state)))) == {"done"}
        accepted = session.scalars(select(Attempt).where(col(Attempt.outcome) == "accepted")).all()
        assert Counter(each.match for each in accepted) == Counter(matches)
        assert len({each.worker for each in accepted}) > 1


def _play_what_was_given_back(arena: SmallArena) -> None:
    later = datetime(2100, 1, 1, tzinfo=UTC)
    work = arena.work()
    while (found := work.lease("last", now=later)) is not None:
        for match in found.matches:
            assert work.accept(found.series, found.fence, outcome(match), now=later)


def test_four_ticks_at_once_after_a_pause_close_one_slot_once(
    database: Database, database_url: str
) -> None:
    arena = SmallArena(database, entries=8, pairs=1)
    late = arena.due + timedelta(days=3, minutes=5)
    _run(_tick, database_url, late)
    with database.read() as session:
        assert sorted(session.scalars(select(col(Event.slot)))) == [1, 2]
        assert len(session.scalars(select(Match)).all()) == 2 * 8 * 5 // 2
        entered = session.scalars(select(Entrant)).all()
        assert [(each.pairs, each.waited, each.met) for each in entered] == [(0, 0, [])] * 8
    _play_what_was_given_back(arena)
    _run(_tick, database_url, late)
    assert [each.state for each in queries.events(database, arena.ladder)] == ["open", "complete"]
    assert ladders.show(database, arena.ladder).next_due == late + timedelta(minutes=55)
