"""Every kind of fault at its full count; what `make test` does once in small."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from arena_service.store.database import Database
from cli.standstill import locked_by
from tests.arena_service.api.wire import Wire
from tests.arena_service.audit.events import started_tournament
from tests.arena_service.store.doors import GRPC, LEASE, STORE, doors_to
from tests.e2e.test_remote_worker import reachable, worker
from tests.faults import posts, services
from tests.faults.last_match import play_racing
from tests.faults.services import served
from tests.faults.small_disk import play_at_full_disk
from tests.kills.arena import Arena, running, wait_for, write_bots
from tests.kills.books import Books
from tests.kills.storm import check_sound, figures, follow, storm

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

BOTS = 5
CUP_PAIRS = 10  # of 5 bots: 200 matches
AWAY_SECONDS = 60.0
KILLS = Counter(dict.fromkeys(services.KINDS, 3)) + Counter(
    {services.DATABASE: 5, services.BACKEND: 4, services.BROKER: 4}
)
BROKER_FAULTS = Counter(dict.fromkeys((services.PURGED, services.AWAY, services.HUNG), 3))
LOST_REPLIES = Counter(dict.fromkeys(services.REPLIES.values(), 10))
UNHEARD = "answers unheard"
FROZEN = "a writer frozen"
SHARES = {posts.TWICE: 0.2, posts.OTHERWISE: 0.1, posts.LATE: 0.3}
SHARES |= {posts.LOST: 0.08, posts.SET_BACK: 0.12}


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param(KILLS, id="kills"),
        pytest.param(BROKER_FAULTS + Counter({services.REPLACED: 3}), id="broker"),
        pytest.param(LOST_REPLIES, id="lost replies"),
    ],
)
def test_nothing_is_lost_with_the_services(tmp_path: Path, faults: Counter[str]) -> None:
    """A tournament of 200 matches on PostgreSQL and RabbitMQ, and slots of a ladder after it."""
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    print(f"\nseed {seed}")
    acts = list(faults.elements())
    chance.shuffle(acts)
    with served(tmp_path / "arena", chance, AWAY_SECONDS) as (arena, outside):
        books = outside.books
        arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), pairs=2)
        arena.hold_cup("two-hundred", CUP_PAIRS)
        storm(arena, books, acts, chance, pause=4.0, faults=outside.faults(arena))
        check_sound(arena, books)
        print(figures(arena, books))
        assert books.accepted() >= 200
        assert Counter(arena.kills) + Counter(arena.others) == faults


def test_a_remote_worker_does_not_hear_the_answers(tmp_path: Path) -> None:
    """What the arena says to it is lost for a moment, again and again, and the wire is cut."""
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    print(f"\nseed {seed}")
    options = ["--slots", "0", "--api", reachable()]
    with running(tmp_path / "arena", options=options) as arena:
        wire, books = Wire(arena.api), Books(arena.url)

        def lose_answers() -> None:
            wire.keep_answers()
            time.sleep(chance.uniform(0.0, 2.0))
            wire.cut()

        with worker(arena, tmp_path, slots=2, at=wire.address):
            arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), pairs=3)
            storm(arena, books, [UNHEARD] * 30, chance, pause=2.0, faults={UNHEARD: lose_answers})
            check_sound(arena, books)
        wire.close()
        print(figures(arena, books))
        assert books.accepted() >= 60


@pytest.mark.parametrize("door", [STORE, GRPC])
def test_results_in_any_order(database: Database, door: str) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"\nseed {seed}")
    cup = started_tournament(database, entries=6, pairs=4)
    with doors_to(database, door) as doors:
        bedlam = posts.Bedlam(database, doors.open(at_most=LEASE), random.Random(seed), SHARES)
        bedlam.play(cup)
    print(posts.check_sound(database, bedlam.now), dict(bedlam.faults))
    assert bedlam.faults[posts.OUT_OF_ORDER] >= 30
    assert bedlam.faults[posts.SET_BACK] >= 3


@pytest.mark.parametrize("format", ["swiss", "double_elimination"])
def test_rounds_close_while_their_last_match_reports(
    database: Database, database_url: str, format: str
) -> None:
    cup = started_tournament(database, entries=9, pairs=2, format=format)
    rounds, now = play_racing(database, database_url, cup)
    print("\n" + posts.check_sound(database, now), f"rounds {rounds}")
    assert rounds >= 3


def test_the_disk_of_postgresql_is_full_while_results_are_stored() -> None:
    assert "faults 3" in play_at_full_disk("store", "postgresql", 3)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_the_disk_is_full_while_an_arena_plays(database: str) -> None:
    assert "'disk full': 3" in play_at_full_disk("arena", database, 3)


def test_a_slot_is_frozen_in_the_middle_of_writing(tmp_path: Path) -> None:
    """Until `up` sees that it stands still with the lock of the SQLite file, and kills it."""
    with running(tmp_path / "arena") as arena:
        books = Books(arena.url)
        arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), pairs=3)
        faults = {FROZEN: lambda: wait_for(lambda: _froze_a_writer(arena, books), FROZEN)}
        storm(arena, books, [FROZEN] * 3, random.Random(), pause=2.0, faults=faults)
        check_sound(arena, books)
        print("\n" + figures(arena, books))
        assert books.accepted() >= 60


def _froze_a_writer(arena: Arena, books: Books) -> bool:
    """Freeze whichever slot writes now, if it is still writing then; returns when it is dead."""
    follow(arena, books)
    index = arena.data / "interrex.db-shm"
    until = time.monotonic() + 1.0
    while (pid := locked_by(index)) not in arena.find("slot"):
        if time.monotonic() > until:
            return False
    os.kill(pid, signal.SIGSTOP)
    if locked_by(index) != pid:
        os.kill(pid, signal.SIGCONT)
        return False
    wait_for(lambda: pid not in arena.find("slot"), "the frozen slot to be killed")
    return True
