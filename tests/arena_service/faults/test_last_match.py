"""A round closes while its last match reports; on both databases."""

from __future__ import annotations

from arena_service.store.database import Database
from tests.arena_service.audit.events import started_tournament
from tests.faults.last_match import play_racing
from tests.faults.posts import check_sound


def test_a_round_closes_once_with_all_its_results(database: Database, database_url: str) -> None:
    cup = started_tournament(database, entries=5, format="swiss")
    rounds, now = play_racing(database, database_url, cup)
    print(check_sound(database, now), f"rounds {rounds}")
    assert rounds >= 3
