"""A new version on a ladder begins anew, and what the old one did stays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.doctor.inputs import check_inputs
from arena_service.doctor.report import Proof
from arena_service.doctor.seeds import check_seeds
from arena_service.formats import match_making
from arena_service.store import histories, ladders, queries
from arena_service.store.candidates import recorded
from arena_service.store.database import Database
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.tables import Entrant, Event
from tests.arena_service.store.arena import SmallArena, play_all

HOUR = timedelta(hours=1)
ENTRIES = 7


def play_slot(arena: SmallArena, number: int) -> str:
    """Close, play and complete a slot; the id of the event."""
    now = arena.due + (number - 1) * HOUR
    arena.close(now)
    play_all(arena, now)
    arena.close(now)
    events = queries.events(arena.db, arena.ladder)
    return next(event.id for event in events if event.slot == number)


def holds(db: Database) -> bool:
    """Whether everything that was matched follows from what was recorded, and that from before."""
    proof = Proof("all", "")
    with db.snapshot() as session:
        check_inputs(session, proof)
        check_seeds(session, proof)
    assert proof.problems == []
    return True


def test_a_new_version_gets_its_first_pairs_and_the_old_one_keeps_its_own(
    database: Database,
) -> None:
    arena = SmallArena(database, entries=ENTRIES, pairs=1)
    old = arena.versions[0]
    play_slot(arena, 1)
    before = histories.of_ladder(database, arena.ladder)
    played = {match.id for match in search(database, MatchSearch(arena.ladder), 500)}
    newer = arena.submit("bot-0", b"newer")
    second = play_slot(arena, 2)
    with database.read() as session:
        known = recorded(session, second)
        met = [set(match) for match in _opponents(database, newer.id)]
    assert old not in known
    first = known[newer.id]
    assert (first.rating, first.error, first.pairs, first.met) == (None, None, 0, ())
    assert len(set().union(*met) - {newer.id}) >= 5
    points = histories.of_ladder(database, arena.ladder)
    assert set(points) > set(before)
    assert {(point.bot, point.version) for point in points if point.slot == 2} >= {
        ("bot-0", 1),
        ("bot-0", 2),
    }
    shown = {row.version_id for row in queries.standings(database, arena.ladder).rows}
    assert newer.id in shown
    assert old not in shown
    assert all(queries.replay(database, match) for match in played)
    assert holds(database)


def _opponents(db: Database, version: str) -> list[list[str]]:
    """The players of every match of a version."""
    found = search(db, MatchSearch(), 500)
    players = [[player.version_id for player in match.players] for match in found]
    return [each for each in players if version in each]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_comes_back_is_known_and_has_not_waited(database: Database) -> None:
    arena = SmallArena(database, entries=ENTRIES, pairs=1)
    play_slot(arena, 1)
    with database.read() as session:
        bot = session.scalars(select(col(Entrant.bot_id)).limit(1)).one()
        version = session.scalars(
            select(col(Entrant.bot_version)).where(col(Entrant.bot_id) == bot)
        ).one()
    ladders.leave(database, arena.ladder, bot)
    play_slot(arena, 2)
    ladders.enter(database, arena.ladder, bot)
    third = play_slot(arena, 3)
    with database.read() as session:
        known = recorded(session, third)[version]
    assert known.rating is not None
    assert (known.pairs >= 5, len(known.met), known.waited) == (True, 5, 0)
    assert holds(database)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_new_rules_make_everybody_new(database: Database) -> None:
    arena = SmallArena(database, entries=3, pairs=1)
    play_slot(arena, 1)
    with database.write() as session:
        session.scalars(select(Event).where(col(Event.slot) == 1)).one().rules_version = 0
    second = play_slot(arena, 2)
    with database.read() as session:
        known = list(recorded(session, second).values())
    assert [(each.pairs, each.rating) for each in known] == [(0, None)] * 3
    assert holds(database)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("seats", [2, 3])
def test_in_small_slots_nobody_waits_beyond_the_bound(
    database: Database, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    monkeypatch.setattr(match_making, "MAX_PAIRS_OF_A_SLOT", 2)
    arena = SmallArena(database, seats=seats, entries=ENTRIES, pairs=1)
    for number in range(1, 6):
        event = play_slot(arena, number)
        with database.read() as session:
            waited = [each.waited for each in recorded(session, event).values()]
        assert len(waited) == ENTRIES
        assert max(waited) <= match_making.longest_wait(ENTRIES, pairs=1)
    assert max(waited) > 0
    assert holds(database)
