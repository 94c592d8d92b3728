"""The arena's clock is set back an hour: nothing waits for the hour to pass again."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import departures, slots
from arena_service.status import queries
from arena_service.store import ladders, tournaments
from arena_service.store.database import Database
from arena_service.store.leases import LONGEST_PAUSE
from arena_service.store.tables import Bot, BotVersion, Event, Series
from arena_service.store.work_store import StoreWork
from tests.arena_service.audit.events import NOON, started_tournament
from tests.arena_service.outcomes import played
from tests.arena_service.store.arena import LEASE, SmallArena
from tests.faults.posts import check_sound
from workers.control import Control

BACK = timedelta(hours=1)


def test_what_a_dead_worker_held_comes_back_as_soon_as_ever(database: Database) -> None:
    arena = SmallArena(database, entries=2)
    arena.close()
    work, clock = StoreWork(database, LEASE, LEASE), Control(database)
    assert work.lease("dead", now=arena.due) is not None
    then = arena.due - BACK
    clock.tick(then)
    clock.tick(then + timedelta(seconds=LEASE + 1))
    assert work.lease("w", now=then + timedelta(seconds=LEASE + 2)) is not None


def test_a_worker_that_lives_keeps_its_lease(database: Database) -> None:
    arena = SmallArena(database, entries=2)
    arena.close()
    work, clock = StoreWork(database, LEASE, LEASE), Control(database)
    held = work.lease("w", now=arena.due)
    assert held is not None
    for second in range(0, 3 * int(LEASE), 15):
        then = arena.due - BACK + timedelta(seconds=second)
        assert work.progress(held.series, held.fence, {held.matches[0].match_id: second + 1}, then)
        clock.tick(then)


def test_a_pause_is_no_longer_than_pauses_are(database: Database) -> None:
    arena = SmallArena(database, entries=2)
    arena.close()
    work = StoreWork(database, LEASE, LEASE)
    held = work.lease("w", now=arena.due)
    assert held is not None
    work.fail(held.series, held.fence, "engine", "away", now=arena.due)
    then = arena.due - BACK
    Control(database).tick(then)
    assert work.lease("w", now=then + LONGEST_PAUSE) is not None


def test_signs_of_life_go_on(database: Database) -> None:
    clock = Control(database)
    clock.tick(NOON)
    clock.tick(NOON - BACK)
    assert queries.status(database, NOON - BACK).queue.tick_seconds == 0


def test_no_slot_is_closed_twice(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    arena.enter("late")
    for minutes in range(-60, 1, 10):
        slots.tick(database, arena.due + timedelta(minutes=minutes))
    assert ladders.show(database, arena.ladder).slot == 2


def test_who_was_disqualified_before_still_counts_for_nobody(database: Database) -> None:
    cup = started_tournament(database, entries=3)
    work, clock = StoreWork(database, LEASE, LEASE), Control(database)
    first = work.lease("w", now=NOON)
    assert first is not None
    for match in first.matches:
        assert work.accept(first.series, first.fence, played(match), now=NOON)
    with database.read() as session:
        version = session.get_one(BotVersion, first.matches[0].players[0])
        bot = session.get_one(Bot, version.bot)
    departures.disqualify(database, cup, bot.id, bot.owner, NOON, "it phoned home")
    then = NOON - BACK
    clock.tick(then)
    while (lease := work.lease("w", now=then)) is not None:
        for match in lease.matches:
            assert work.accept(lease.series, lease.fence, played(match), now=then)
    clock.tick(then)
    assert tournaments.show(database, cup).state == "complete"
    with database.read() as session:
        assert session.scalars(select(col(Event.completed_at))).one() == NOON
        assert set(session.scalars(select(col(Series.state)))) <= {"done", "cancelled"}
    check_sound(database, then)
