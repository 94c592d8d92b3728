"""The final run of a ladder: entries closed, steps played, the ladder goes on afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena_service.scheduling import finals, slots
from arena_service.scheduling import tournaments as schedule
from arena_service.store import bots, ladders, tournaments
from arena_service.store.courses import course
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError
from tests.arena_service.store.arena import NOON, SmallArena, play_all

LATER = NOON + timedelta(minutes=1)


def play_to_the_end(arena: SmallArena, name: str) -> int:
    """Round by round; returns how many there were."""
    count = 0
    while tournaments.show(arena.db, name).state == "running":
        play_all(arena, LATER)
        slots.tick(arena.db, LATER)
        count += 1
    return count


def test_it_is_played_in_steps_and_shown(database: Database) -> None:
    arena = SmallArena(database)
    row = finals.run(database, arena.ladder, NOON, budget=12, steps=2)
    assert (row.format, row.ladder, row.pairs, row.rounds) == ("final", "stones2", 12, 2)
    assert row.name == "stones2-final-1"
    assert ladders.show(database, arena.ladder).final == row.name
    assert play_to_the_end(arena, row.id) == 2
    seen = course(database, row.id)
    assert [len(each.encounters) for each in seen.rounds] == [3, 3]  # nobody is told apart
    assert [dict(line.tie_breaks)["step"] for line in seen.table] == [2.0, 2.0, 2.0]
    assert {line.entrant.version_id for line in seen.table} == set(arena.versions)
    assert ladders.show(database, arena.ladder).final == ""


def test_meanwhile_nobody_enters_and_no_slot_begins(database: Database) -> None:
    arena = SmallArena(database)
    row = finals.run(database, arena.ladder, NOON, budget=9, steps=1)
    late = arena.submit("late")
    with pytest.raises(
        ConflictError, match="in its final run, stones2-final-1: entries are closed"
    ):
        ladders.enter(database, arena.ladder, late.bot_id)
    for again in (
        lambda: ladders.run_now(database, arena.ladder, LATER),
        lambda: finals.run(database, arena.ladder, LATER),
    ):
        with pytest.raises(ConflictError, match="final run"):
            again()
    newer = arena.submit("bot-0", b"newer")
    assert newer.finals == ("stones2",)
    arena.close()
    assert ladders.show(database, arena.ladder).slot == 1
    played = {each.version_id for each in course(database, row.id).entrants}
    assert newer.id not in played
    schedule.cancel(database, row.id, LATER)
    ladders.enter(database, arena.ladder, late.bot_id)
    arena.close()  # what was due meanwhile runs once
    assert ladders.show(database, arena.ladder).slot == 2
    assert finals.run(database, arena.ladder, arena.due, 9, 1).name == "stones2-final-2"


def test_what_cannot_be_run_is_refused(database: Database) -> None:
    arena = SmallArena(database, entries=1)
    with pytest.raises(ConflictError, match="at least 2 entered bots"):
        finals.run(database, arena.ladder, NOON)
    for field, budget, steps in (("budget", 2001, 0), ("budget", -1, 0), ("steps", 0, 21)):
        with pytest.raises(InvalidError, match=field):
            finals.run(database, arena.ladder, NOON, budget, steps)


def test_every_step_takes_its_pairs_from_the_budget(database: Database) -> None:
    arena = SmallArena(database, entries=3)
    with pytest.raises(InvalidError, match="budget: expected at least 3 pairs, so that every bot"):
        finals.run(database, arena.ladder, NOON, budget=2)
    with pytest.raises(InvalidError, match="steps: expected 1 to 2, for a step takes at least 3"):
        finals.run(database, arena.ladder, NOON, budget=8, steps=3)
    assert finals.run(database, arena.ladder, NOON, budget=8, steps=2).rounds == 2


def test_a_bot_that_left_the_ladder_is_not_in_it(database: Database) -> None:
    arena = SmallArena(database)
    gone = bots.version(database, arena.versions[0])
    ladders.leave(database, arena.ladder, gone.bot_id)
    row = finals.run(database, arena.ladder, NOON, budget=4, steps=1)
    assert row.entrants == 2
