"""What the report says of an arena, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from arena_service.access import Viewer
from arena_service.status import queries, reports
from arena_service.status.heartbeat import Heartbeat
from arena_service.status.report import CauseCount, Status
from arena_service.store.database import Database
from arena_service.store.tables import Process
from tests.arena_service.store.arena import SmallArena, outcome, play_all

MINUTE = timedelta(minutes=1)


@pytest.fixture
def arena(database: Database) -> SmallArena:
    """Three bots; a slot of three series, each two pairs, waits since its due time."""
    arena = SmallArena(database)
    arena.close()
    return arena


def report(arena: SmallArena, after: timedelta) -> Status:
    return queries.status(arena.db, arena.due + after)


def test_an_empty_arena_waits_for_nothing(database: Database) -> None:
    status = queries.status(database)
    assert status.queue.oldest_seconds is None
    assert status.queue.tick_seconds is None
    assert (status.running, status.causes, status.processes) == ((), (), ())


def test_the_queue_and_the_matches_in_play(arena: SmallArena) -> None:
    before = report(arena, 4 * MINUTE)
    assert (before.queue.series_waiting, before.queue.matches_waiting) == (3, 12)
    assert before.queue.oldest_seconds == 240
    work = arena.work()
    lease = work.lease("w", now=arena.due)
    assert lease is not None
    first, second = lease.matches[:2]
    work.progress(lease.series, lease.fence, {first.match_id: 7}, now=arena.due + MINUTE)
    [running] = report(arena, 2 * MINUTE).running
    assert (running.match_id, running.competition) == (first.match_id, "stones2")
    assert (running.ply, running.seconds) == (7, 120)
    work.accept(lease.series, lease.fence, outcome(first), now=arena.due + MINUTE)
    after = report(arena, 2 * MINUTE)
    assert [(each.match_id, each.ply, each.seconds) for each in after.running] == [
        (second.match_id, 0, 60)
    ]
    assert (after.queue.series_waiting, after.queue.series_leased) == (2, 1)
    assert after.queue.matches_waiting == 8


def test_matches_of_the_last_minute_are_counted(arena: SmallArena) -> None:
    work = arena.work()
    lease = work.lease("w", now=arena.due)
    assert lease is not None
    for number, match in enumerate(lease.matches[:3]):
        at = arena.due + number * timedelta(seconds=40)
        work.accept(lease.series, lease.fence, outcome(match), now=at)
    assert report(arena, timedelta(seconds=81)).queue.matches_last_minute == 2


def test_faults_are_counted_by_cause_for_a_day(arena: SmallArena) -> None:
    work = arena.work()
    lease = work.lease("w", now=arena.due)
    assert lease is not None
    crash = outcome(lease.matches[0], [2, 1], ending="crash", at_fault=0)
    work.accept(lease.series, lease.fence, crash, now=arena.due)
    work.accept(lease.series, lease.fence, outcome(lease.matches[1]), now=arena.due)
    work.fail(lease.series, lease.fence, "engine", "no answer\nat all", now=arena.due)
    causes = (CauseCount("engine", "no answer", 2, goes_on=True), CauseCount("bot", "crash", 1))
    assert report(arena, MINUTE).causes == causes
    assert report(arena, MINUTE).seen_by(Viewer()).causes[0] == replace(causes[0], what="")
    assert report(arena, 30 * MINUTE).causes == causes  # both matches wait to be played again
    play_all(arena, arena.due + 2 * MINUTE)
    assert report(arena, 5 * MINUTE).causes[0].goes_on
    assert not report(arena, 30 * MINUTE).causes[0].goes_on
    assert report(arena, timedelta(hours=25)).causes == ()


def test_a_series_that_pauses_after_a_failure_is_not_old(arena: SmallArena) -> None:
    work = arena.work()
    while (lease := work.lease("w", now=arena.due)) is not None:
        work.fail(lease.series, lease.fence, "worker", "no sandbox", now=arena.due)
    assert report(arena, timedelta()).queue.oldest_seconds is None
    assert report(arena, timedelta()).queue.series_waiting == 3
    assert report(arena, MINUTE).queue.oldest_seconds == 60


def test_processes_say_that_they_live_until_they_go(arena: SmallArena) -> None:
    control, slot = Heartbeat(arena.db, "control"), Heartbeat(arena.db, "matches", "slot 1")
    for each in (control, slot):
        each.beat(arena.due)
    slot.beat(arena.due + timedelta(seconds=3))  # said a moment ago: nothing is written
    status = report(arena, timedelta(seconds=10))
    assert [(row.kind, row.detail, row.seen_seconds) for row in status.processes] == [
        ("control", "", 10),
        ("matches", "slot 1", 10),
    ]
    assert status.queue.tick_seconds == 10
    assert status.seen_by(Viewer()).processes == ()
    slot.beat(arena.due + timedelta(seconds=30))
    lives = {row.kind: row.lives for row in report(arena, timedelta(seconds=31)).processes}
    assert lives == {"control": False, "matches": True}
    slot.stop()
    assert [row.kind for row in report(arena, MINUTE).processes] == ["control"]


def test_a_process_that_was_killed_is_forgotten_after_a_day(arena: SmallArena) -> None:
    Heartbeat(arena.db, "matches").beat(arena.due)
    later = timedelta(hours=25)
    Heartbeat(arena.db, "api").beat(arena.due + later)
    assert [row.kind for row in report(arena, later).processes] == ["api"]


def test_who_was_killed_and_followed_is_a_restart_and_no_loss(arena: SmallArena) -> None:
    def ran(kind: str, pid: int, start: int, end: int) -> Process:
        started, seen = (arena.due + timedelta(seconds=each) for each in (start, end))
        place = Process(id=f"{kind}{pid}", kind=kind, host="here", pid=pid)
        place.started_at, place.seen_at = started, seen
        return place

    with arena.db.write() as session:
        session.add_all(
            [
                ran("api", 1, 0, 100),
                ran("api", 2, 102, 200),
                ran("api", 3, 201, 600),
                ran("control", 4, 0, 300),
                ran("matches", 5, 0, 100),
                ran("matches", 6, 0, 110),
                ran("matches", 7, 103, 600),
                ran("matches", 8, 590, 590),
                ran("matches", 9, 591, 600),
            ]
        )
    rows = report(arena, timedelta(seconds=601)).processes
    assert [(row.kind, row.pid, row.lives, row.restarts) for row in rows] == [
        ("api", 3, True, 2),
        ("control", 4, False, 0),
        ("matches", 7, True, 1),
        ("matches", 8, True, 1),
        ("matches", 9, True, 0),
    ]


def test_a_heartbeat_goes_on_by_itself_and_ends_in_order(database: Database) -> None:
    heart = Heartbeat(database, "api")
    heart.start()
    heart.stop()
    assert queries.status(database).processes == ()


def test_a_report_is_read_once_for_all_who_ask(
    arena: SmallArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, now = reports.Reports(arena.db), 100.0
    monkeypatch.setattr(reports.time, "monotonic", lambda: now)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: kept.newest(), range(8))
    assert all(each is first for each in others)
    assert arena.work().lease("w", now=arena.due) is not None
    assert kept.newest().queue.series_leased == 0
    now += reports.KEPT_SECONDS + 0.1
    assert kept.newest().queue.series_leased == 1
