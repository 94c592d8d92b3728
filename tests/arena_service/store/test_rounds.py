"""A tournament in rounds: the next is planned once, when the last match of the one before ends."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.doctor.seeds import check_seeds
from arena_service.scheduling import slots
from arena_service.scheduling.rounds import advance
from arena_service.store.database import Database
from arena_service.store.errors import InvalidError
from arena_service.store.rounds import history
from arena_service.store.states import MatchState
from arena_service.store.tables import Match, Pair, Round, Series
from arena_service.store.tournaments import show
from tests.arena_service.store.arena import NOON, outcome, play_all
from tests.arena_service.store.cup import LATER, Cup


def rounds(db: Database, event: str) -> list[Round]:
    """In their order."""
    with db.read() as session:
        rows = select(Round).where(col(Round.event) == event).order_by(col(Round.number))
        return list(session.scalars(rows))


def seeds_are_proven(db: Database) -> None:
    """Every draw, seed, bye and seating follows from the keys."""
    proof = Proof("seeds", "")
    with db.snapshot() as session:
        check_seeds(session, proof)
    assert proof.examined
    assert not proof.problems, proof.problems


@pytest.mark.parametrize(("entries", "wanted", "played"), [(7, 4, 4), (4, 9, 3), (6, 0, 3)])
def test_a_swiss_tournament_is_planned_round_by_round(
    database: Database, entries: int, wanted: int, played: int
) -> None:
    cup = Cup(database, entries=entries, pairs=2, format="swiss", rounds=wanted)
    event = cup.start().event
    with database.read() as session:
        assert len(session.scalars(select(Pair)).all()) == entries // 2 * 2
    assert cup.play_to_the_end() == played
    assert cup.show().state == "complete"
    with database.read() as session:
        pairs = list(session.scalars(select(Pair).order_by(col(Pair.number))))
        assert [pair.number for pair in pairs] == list(range(len(pairs)))
        assert [pair.round for pair in pairs] == sorted(pair.round for pair in pairs)
        met = Counter(
            frozenset(encounter.group)
            for each in history(session, event)
            for encounter in each.encounters
        )
    assert len(met) == played * (entries // 2)
    assert set(met.values()) == {1}
    rows = rounds(database, event)
    assert [row.number for row in rows] == list(range(1, played + 1))
    assert all(len(row.byes) == entries % 2 for row in rows)
    assert all(row.closed_at is not None for row in rows)
    seeds_are_proven(database)


def test_the_next_round_waits_for_the_last_match(database: Database) -> None:
    cup = Cup(database, entries=4, pairs=1, format="swiss", rounds=2)
    event = cup.start().event
    work = cup.arena.work()
    held = [work.lease("w", now=NOON) for _ in range(2)]
    assert work.lease("w", now=NOON) is None
    for lease in held:
        assert lease is not None
        for match in lease.matches:
            assert not advance(database, event, LATER)
            slots.tick(database, LATER)
            assert len(rounds(database, event)) == 1
            assert work.accept(lease.series, lease.fence, outcome(match), now=LATER)
    assert advance(database, event, LATER)
    assert not advance(database, event, LATER)
    slots.tick(database, LATER)
    assert [row.closed_at for row in rounds(database, event)] == [LATER, None]


def test_a_clock_that_stops_in_between_loses_nothing(database: Database) -> None:
    """The round is closed and no more is planned, but the event was not yet completed."""
    cup = Cup(database, entries=3, pairs=1, format="swiss", rounds=1)
    event = cup.start().event
    play_all(cup.arena, LATER)
    assert not advance(database, event, LATER)
    assert cup.show().state == "running"
    slots.tick(database, LATER)
    assert cup.show().state == "complete"


def test_a_format_of_two_is_refused_for_more_seats(database: Database) -> None:
    cup = Cup(database, entries=0, seats=3)
    with pytest.raises(InvalidError, match="seats: expected 2 in the format swiss"):
        cup.create("x", format="swiss")
    with pytest.raises(InvalidError, match="rounds: expected none in the format round_robin"):
        cup.create("x", rounds=3)
    with pytest.raises(InvalidError, match="rounds: expected 1 to"):
        cup.create("x", format="swiss", seats=2, rounds=1000)


@pytest.mark.parametrize("entries", [0, 1, 2])
def test_few_entrants(database: Database, entries: int) -> None:
    cup = Cup(database, entries=entries, pairs=1, format="swiss")
    started = cup.start()
    assert (started.state == "complete") == (entries < 2)
    cup.play_to_the_end()
    assert show(database, cup.id).state == "complete"
    with database.read() as session:
        states = set(session.scalars(select(col(Match.state))))
        assert states <= {MatchState.FINISHED}
        assert len(session.scalars(select(Series)).all()) == (entries == 2)
