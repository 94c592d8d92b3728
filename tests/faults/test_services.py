"""Database and broker fail in every way while matches are played; `make soak` does more of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults import services
from tests.faults.services import served
from tests.kills.arena import write_bots
from tests.kills.storm import check_sound, figures, storm

BOTS = 3
PAIRS = 2
AWAY_SECONDS = 1.0


@pytest.mark.timeout(1200)
def test_failing_services_lose_and_double_nothing(tmp_path: Path) -> None:
    chance = random.Random(8)
    with served(tmp_path / "arena", chance, AWAY_SECONDS) as (arena, outside):
        books = outside.books
        faults = outside.faults(arena)
        arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), PAIRS)
        # REPLACED kills the broker too, and leaves it away for as long as it takes to start.
        acts = [each for each in faults if each not in (services.BROKER, services.AWAY)]
        chance.shuffle(acts)
        storm(arena, books, acts, chance, pause=0.5, faults=faults)
        check_sound(arena, books)
        print(figures(arena, books))
        assert books.accepted() >= BOTS * PAIRS * 2
