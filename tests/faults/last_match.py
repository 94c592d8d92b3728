"""Rounds that close while their last match reports: twice, late, and under two clocks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Barrier

from arena_service.scheduling import slots, sweep
from arena_service.store import tournaments
from arena_service.store.database import Database, open_database
from arena_service.store.work_store import StoreWork
from arena_service.work import AcceptedOutcome, Assignment
from tests.arena_service.outcomes import played
from tests.faults.posts import NOON

LEASE = 60.0
CLOCKS, POSTS = 2, 2


@dataclass(frozen=True)
class Report:
    """What a worker is about to post, and for which lease."""

    lease: Assignment
    outcome: AcceptedOutcome

    def post(self, db: Database, now: datetime) -> bool:
        """Whether it stands."""
        work = StoreWork(db, LEASE, LEASE)
        return work.accept(self.lease.series, self.lease.fence, self.outcome, now=now)


def play_racing(db: Database, url: str, tournament: str) -> tuple[int, datetime]:
    """Play it to its end; returns how many rounds were closed so, and when it ended."""
    now, rounds = NOON, 0
    while tournaments.show(db, tournament).state == "running":
        lost = _lease_all(db, "lost", now)
        now += timedelta(seconds=2 * LEASE)
        sweep.expire_leases(db, now)
        reports = _lease_all(db, "w", now)
        *others, newest = reports
        for report in others:
            assert report.post(db, now)
        ghost = next(e for e in lost if e.outcome.match_id == newest.outcome.match_id)
        _race(url, newest, ghost, now)
        slots.tick(db, now)  # those in the race may all have come before the last result
        rounds += 1
        slots.tick(db, now)
    return rounds, now


def _lease_all(db: Database, worker: str, now: datetime) -> list[Report]:
    work, reports = StoreWork(db, LEASE, LEASE), []
    while (lease := work.lease(worker, now=now)) is not None:
        reports += [Report(lease, played(match)) for match in lease.matches]
    return reports


def _race(url: str, newest: Report, ghost: Report, now: datetime) -> None:
    """The last result twice, the same by who lost its lease, and ticks: all at once."""
    start = Barrier(POSTS + CLOCKS + 1)

    def at_once(act: Callable[[Database], object]) -> object:
        db = open_database(url)
        try:
            start.wait(60)
            return act(db)
        finally:
            db.close()

    with ThreadPoolExecutor(start.parties) as pool:
        ticks = [pool.submit(at_once, lambda db: slots.tick(db, now)) for _ in range(CLOCKS)]
        posts = [pool.submit(at_once, lambda db: newest.post(db, now)) for _ in range(POSTS)]
        late = pool.submit(at_once, lambda db: ghost.post(db, now))
        assert [each.result() for each in ticks] == [None] * CLOCKS
        assert [each.result() for each in posts] == [True] * POSTS
        assert late.result() is False
