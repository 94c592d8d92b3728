"""Every kind of process is killed with -9 once while matches are played; `make soak` does more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.kills import processes
from tests.kills.arena import running, write_bots
from tests.kills.books import Books
from tests.kills.storm import check_sound, figures, storm

BOTS = 3
PAIRS = 5
MATCHES = BOTS * PAIRS * 2


@pytest.mark.timeout(1200)
def test_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    chance = random.Random(20)
    acts = list(processes.KINDS)
    chance.shuffle(acts)
    with running(tmp_path / "arena") as arena:
        books = Books(arena.url)
        arena.enter(write_bots(tmp_path, BOTS, think_seconds=0.01), PAIRS)
        storm(arena, books, acts, chance, pause=0.6)
        check_sound(arena, books)
    print(figures(arena, books))
    assert books.accepted() >= MATCHES
    assert arena.kills == dict.fromkeys(processes.KINDS, 1)
