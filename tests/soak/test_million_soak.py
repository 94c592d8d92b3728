"""A million matches: every statement of what is asked most stays under its bound; takes minutes."""

from __future__ import annotations

import pytest

from arena_service.store.database import open_migrated
from benchmarks import crowd
from benchmarks.plans import looks, plans
from tests.arena_service import postgres

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]

MATCHES = 1_000_000
MILLISECONDS = 50.0
TIMES = 5


def test_a_million_matches() -> None:
    with postgres.server() as server:
        db = open_migrated(postgres.url(server, "postgres"))
        made = crowd.fill(db, MATCHES)
        assert made.matches == MATCHES
        for name, look in looks(db, made).items():
            look()  # what it needs is in memory from now on
            runs = [plans(db, look) for _ in range(TIMES)]
            best = [min(run[at].milliseconds for run in runs) for at in range(len(runs[0]))]
            print(f"{name}: {len(best)} statements, {sum(best):.1f} ms, slowest {max(best):.1f} ms")
            assert max(best) < MILLISECONDS
        db.close()
