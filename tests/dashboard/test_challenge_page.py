"""What the pages say of a challenge and of a final run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_service.scheduling import finals, slots
from arena_service.scheduling.challenges import challenge as begin
from arena_service.store import bot_pages, bots, courses, tournaments
from arena_service.store.challenges import outcome
from arena_service.store.database import Database, open_database
from dashboard.views import challenge, points
from tests.arena_service.store.arena import GAME, NOON, SmallArena, play_all
from tests.arena_service.store.cup import LATER


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[SmallArena]:
    db = open_database(f"sqlite:///{tmp_path / 'interrex.db'}")
    db.migrate()
    yield SmallArena(db)
    db.close()


def names(db: Database, versions: list[str]) -> dict[str, str]:
    return bot_pages.bot_ids(db, versions)


def test_a_challenge_shows_points_pairs_and_replays(arena: SmallArena) -> None:
    both = [bots.version(arena.db, version).bot_id for version in arena.versions[:2]]
    row = begin(arena.db, arena.owner, both, NOON, GAME, pairs=2, rules_version=1)
    before = challenge.show(outcome(arena.db, row.id), names(arena.db, arena.versions))
    assert "No pair has been played yet." in before
    play_all(arena, LATER)
    slots.tick(arena.db, LATER)
    found = outcome(arena.db, row.id)
    page = challenge.show(found, names(arena.db, arena.versions))
    assert "Pairs of bot-0 by their points" in page
    assert "50.0 %" in page
    for match in found.matches:
        assert f"match?replay={match.id}" in page
    assert "nan" not in page


def test_among_three_the_record_tells_who_came_first(arena: SmallArena) -> None:
    bots_of = [bots.version(arena.db, version).bot_id for version in arena.versions[:3]]
    row = begin(arena.db, arena.owner, bots_of, NOON, GAME, pairs=1, rules_version=1)
    page = challenge.show(outcome(arena.db, row.id), names(arena.db, arena.versions))
    assert "First - shared - behind" in page
    assert "Won - drawn - lost" not in page
    assert "shared the first place with a rival" in page


def test_a_final_run_shows_steps_and_ranks(arena: SmallArena) -> None:
    row = finals.run(arena.db, arena.ladder, NOON, budget=6, steps=2)
    while tournaments.show(arena.db, row.id).state == "running":
        play_all(arena, LATER)
        slots.tick(arena.db, LATER)
    course = courses.course(arena.db, row.id)
    page = points.table(course.table, names(arena.db, arena.versions), ended=True)
    for head in ("Credit", "Steps", "Best rank", "Worst rank"):
        assert head in page
    assert "50.0 %" in page
