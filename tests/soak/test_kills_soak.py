"""Everything is killed again and again; nothing is lost, nothing doubled, nothing wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena_service import postgres
from tests.kills import processes
from tests.kills.arena import running, write_bots
from tests.kills.books import Books
from tests.kills.storm import CANCEL, CUP, EXAMINE, POST, STOP, check_sound, figures, storm

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

TIMES = 5
OTHERS = {STOP: 3, POST: 2, CUP: 1, CANCEL: 2, EXAMINE: 2}
BOTS = 4
PAIRS = 8
THINK_SECONDS = 0.02


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "sqlite":
        yield None
        return
    with postgres.server() as server:
        yield postgres.url(server, "postgres")


def test_nothing_is_lost_under_kills(tmp_path: Path, database_url: str | None) -> None:
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    print(f"\nseed {seed}")
    acts = [*processes.KINDS * TIMES, *Counter(OTHERS).elements()]
    chance.shuffle(acts)
    with running(tmp_path / "arena", database_url) as arena:
        books = Books(arena.url)
        arena.enter(write_bots(tmp_path, BOTS, THINK_SECONDS), PAIRS)
        storm(arena, books, acts, chance, pause=2.0)
        check_sound(arena, books)
    print(figures(arena, books))
    assert books.accepted() >= 60
    assert arena.kills == dict.fromkeys(processes.KINDS, TIMES)
    assert arena.others == OTHERS
    assert books.started_cups() == OTHERS[CUP] + OTHERS[CANCEL]
    assert books.cancelled() > 0
