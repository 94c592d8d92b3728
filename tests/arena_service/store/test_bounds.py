"""Bounds that hold when many calls come at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from arena_service.store import bounds, ladders
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError
from tests.arena_service.store.arena import GAME, NOON, SmallArena
from tests.arena_service.store.cup import Cup

AT_ONCE = 8
BOUND = 3


def accepted(call: Callable[[int], object]) -> int:
    """Call with AT_ONCE numbers at the same moment; returns how many met no ConflictError."""
    ready = Barrier(AT_ONCE)

    def attempt(number: int) -> bool:
        ready.wait(60)
        try:
            call(number)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(attempt, range(AT_ONCE)))


def test_a_ladder_never_has_more_entries_than_allowed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = SmallArena(database, entries=0)
    entered = [arena.submit(f"bot-{number}").bot_id for number in range(AT_ONCE)]
    monkeypatch.setattr(ladders, "MAX_ENTRIES", BOUND)
    assert accepted(lambda n: ladders.enter(database, arena.ladder, entered[n])) == BOUND
    assert ladders.show(database, arena.ladder).entrants == BOUND


def test_one_bot_entered_by_many_calls_is_entered_once(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    bot = arena.submit("bot").bot_id
    assert accepted(lambda _: ladders.enter(database, arena.ladder, bot)) == AT_ONCE
    assert ladders.show(database, arena.ladder).entrants == 1


def test_an_account_never_has_more_ladders_than_allowed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = SmallArena(database, entries=0)
    monkeypatch.setattr(ladders, "MAX_LADDERS_OF_AN_OWNER", 1 + BOUND)

    def create(number: int) -> None:
        ladders.create_ladder(
            database, arena.owner, f"l{number}", GAME, {}, 2, "0 * * * *", "UTC", rules_version=1
        )

    assert accepted(create) == BOUND
    assert len(ladders.all_ladders(database)) == 1 + BOUND


def test_an_account_never_has_more_open_tournaments_than_allowed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(database, entries=0)
    monkeypatch.setattr(bounds, "MAX_OPEN_OF_AN_OWNER", 1 + BOUND)
    assert accepted(lambda number: cup.create(f"cup-{number}")) == BOUND


def test_what_an_account_starts_within_a_day_is_bounded(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(database, entries=3, pairs=2)
    monkeypatch.setattr(bounds, "MAX_PAIRS_OF_A_DAY", 11)
    cup.start()
    cup.cancel()
    cup.again("second")
    with pytest.raises(ConflictError, match="24 hours have at most 11 pairs"):
        cup.start()
    assert cup.show().state == "open"
    assert cup.start(NOON + timedelta(days=1)).state == "running"
