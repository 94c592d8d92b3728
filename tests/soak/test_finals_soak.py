"""Final runs and the telling of webhooks while everything is killed again and again."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store.states import DeliveryState, EventState
from arena_service.store.tables import Delivery, Event, Tournament
from arena_service.webhooks.posting import DELIVERY
from tests.arena_service.webhooks.receiver import receiving
from tests.kills import processes
from tests.kills.arena import running, wait_for, write_bots
from tests.kills.books import Books
from tests.kills.storm import check_sound, figures, storm

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

FINAL, TOLD_CUP = "final run", "cup with a webhook"
OTHERS = {FINAL: 6, TOLD_CUP: 6}
KILLS = Counter(processes.KINDS) + Counter(processes.KINDS) + Counter({"control": 6, "beat": 4})
BUDGET, STEPS = 12, 2


def test_finals_and_webhooks_are_not_lost_under_kills(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    print(f"\nseed {seed}")
    acts = list((KILLS + Counter(OTHERS)).elements())
    chance.shuffle(acts)
    settings = {"INTERREX_WEBHOOK_PRIVATE": "1"}
    with receiving() as receiver, running(tmp_path / "arena", settings=settings) as arena:
        receiver.otherwise = lambda: chance.choice([204, 204, 204, 500])
        books = Books(arena.url)
        arena.enter(write_bots(tmp_path, 5, think_seconds=0.01), pairs=2)

        def hold_told_cup() -> None:
            arena.hold_cup(f"told-{arena.others[TOLD_CUP]}", webhook_url=receiver.url)

        faults = {FINAL: lambda: arena.run_final(BUDGET, STEPS), TOLD_CUP: hold_told_cup}
        storm(arena, books, acts, chance, pause=2.0, faults=faults)
        receiver.otherwise = lambda: 204
        wait_for(
            lambda: _told(books) == [DeliveryState.DELIVERED] * OTHERS[TOLD_CUP], "webhooks", 420
        )
        check_sound(arena, books)
        finals = _finals(books)
    print(f"{figures(arena, books)}, finals {finals}, posts {len(receiver.got)}")
    assert set(finals) == {EventState.COMPLETE}
    assert Counter(arena.kills) == KILLS
    named = {headers[DELIVERY]: json.loads(body)["tournament"] for headers, body in receiver.got}
    assert sorted(each["name"] for each in named.values()) == [
        f"told-{number}" for number in range(1, OTHERS[TOLD_CUP] + 1)
    ]
    assert {each["state"] for each in named.values()} == {EventState.COMPLETE}


def _told(books: Books) -> list[str]:
    with books.db.read() as session:
        return list(session.scalars(select(col(Delivery.state))))


def _finals(books: Books) -> list[str]:
    """The states of the final runs."""
    with books.db.read() as session:
        states = select(col(Event.state)).join(
            Tournament, col(Event.tournament) == col(Tournament.id)
        )
        return list(session.scalars(states.where(col(Tournament.ladder).is_not(None))))
