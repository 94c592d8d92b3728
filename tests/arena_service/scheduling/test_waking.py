"""Tokens: as many as can be used, and no more."""

from __future__ import annotations

from datetime import timedelta

from arena_service.scheduling import waking
from arena_service.store.database import Database
from arena_service.store.tables import Process
from arena_service.work import POLLING, WOKEN, slot_name
from tests.arena_service.store.arena import SmallArena


def live(arena: SmallArena, *pids: int, kind: str = WOKEN, silent: float = 0) -> None:
    """Processes on `host` that were seen `silent` seconds before the slot closed."""
    seen = arena.due - timedelta(seconds=silent)
    with arena.db.write() as session:
        for pid in pids:
            session.add(Process(id=f"{kind}-{pid}", kind=kind, host="host", pid=pid, seen_at=seen))


def test_as_many_as_wait_and_at_most_one_per_free_slot(database: Database) -> None:
    arena = SmallArena(database)
    live(arena, 1, 2, 3, 4)
    live(arena, 5, kind="api")
    live(arena, 6, silent=60)
    assert waking.tokens(database, arena.due) == 0
    arena.close()
    assert waking.tokens(database, arena.due) == 3
    for pid, free_and_waiting in ((1, 2), (2, 1)):
        assert arena.work().lease(slot_name("host", pid), now=arena.due)
        assert waking.tokens(database, arena.due) == free_and_waiting


def test_busy_slots_get_none(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    live(arena, 1)
    assert arena.work().lease(slot_name("host", 1), now=arena.due)
    assert waking.tokens(database, arena.due) == 0


def test_without_any_sign_of_life_there_is_one(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    assert waking.tokens(database, arena.due) == 1


def test_slots_that_poll_get_none(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    live(arena, 1, 2, kind=POLLING)
    assert waking.tokens(database, arena.due) == 0
    live(arena, 3)
    assert waking.tokens(database, arena.due) == 1
