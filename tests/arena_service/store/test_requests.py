"""Two identical creations within a second make one thing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest

from arena_service.scheduling import finals
from arena_service.scheduling import tournaments as schedule
from arena_service.scheduling.challenges import challenge
from arena_service.store import bots, ladders, requests, tournaments
from arena_service.store.database import Database
from arena_service.store.errors import InvalidError
from arena_service.store.requests import Asked
from arena_service.store.states import now_utc
from bots.manifest import Manifest
from tests.arena_service.store.arena import GAME, NOON, SmallArena

AT_ONCE = 3
Creation = Callable[[SmallArena, Asked], Any]


def a_tournament(arena: SmallArena, asked: Asked) -> str:
    return tournaments.create_tournament(
        arena.db, arena.owner, "cup", GAME, {}, 2, rules_version=1, asked=asked
    ).id


def a_ladder(arena: SmallArena, asked: Asked) -> str:
    return ladders.create_ladder(
        arena.db, arena.owner, "new", GAME, {}, 2, "0 * * * *", "UTC", rules_version=1, asked=asked
    ).id


def a_version(arena: SmallArena, asked: Asked) -> tuple[str, bool]:
    manifest = Manifest("bot-9", (GAME,), ("python3", "main.py"), "json")
    row = bots.submit(arena.db, arena.owner, "bot-9", b"new", manifest, (), asked=asked)
    return row.id, row.created


def a_challenge(arena: SmallArena, asked: Asked) -> str:
    both = [bots.version(arena.db, version).bot_id for version in arena.versions[:2]]
    return challenge(arena.db, arena.owner, both, NOON, GAME, rules_version=1, asked=asked).id


def a_final(arena: SmallArena, asked: Asked) -> str:
    return finals.run(arena.db, arena.ladder, NOON, 9, 1, asked).id


@pytest.mark.parametrize("create", [a_tournament, a_ladder, a_version, a_challenge, a_final])
def test_the_same_at_the_same_moment_is_made_once(database: Database, create: Creation) -> None:
    arena, ready = SmallArena(database), Barrier(AT_ONCE)

    def attempt(_: int) -> Any:
        ready.wait(60)
        return create(arena, Asked("key", "same"))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        made = set(pool.map(attempt, range(AT_ONCE)))
    assert len(made) == 1
    assert {create(arena, Asked("key", "same"))} == made
    with pytest.raises(InvalidError, match="request_key"):
        create(arena, Asked("key", "other"))


def test_an_extension_asked_for_twice_is_made_once(database: Database) -> None:
    arena = SmallArena(database)
    cup = a_tournament(arena, Asked())
    for version in arena.versions:
        tournaments.enter(database, cup, bots.version(database, version).bot_id)
    schedule.start(database, cup, NOON)
    for _ in range(2):
        extended = schedule.extend(database, cup, NOON, 2, 0, Asked("key", "same"))
        assert extended.rounds == 2
    assert schedule.extend(database, cup, NOON, 2, 0, Asked("key 2", "same")).rounds == 3


def test_keys_are_bounded_and_forgotten_after_a_day(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena = SmallArena(database)
    for key in ("k" * 65, "line\nbreak"):
        with pytest.raises(InvalidError, match="request_key"):
            a_ladder(arena, Asked(key, ""))
    first = a_challenge(arena, Asked("key", ""))
    monkeypatch.setattr(requests, "now_utc", lambda: now_utc() + timedelta(days=2))
    a_tournament(arena, Asked("another", ""))  # what is old goes when something new comes
    assert a_challenge(arena, Asked("key", "")) != first


def test_keys_are_of_one_account(database: Database) -> None:
    arena, other = SmallArena(database), SmallArena(database, name="other")
    assert a_challenge(arena, Asked("key", "")) != a_challenge(other, Asked("key", ""))
