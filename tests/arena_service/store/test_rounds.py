"""A tournament in rounds: the next is planned once, when the last match of the one before ends."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.doctor.seeds import check_seeds
from arena_service.formats.double_elimination import DoubleElimination
from arena_service.ratings.sprt import Sprt
from arena_service.scheduling import slots
from arena_service.scheduling.rounds import advance
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.rounds import field_of, history
from arena_service.store.settings import Settings, sprt
from arena_service.store.standings import tournament_standings
from arena_service.store.states import MatchState
from arena_service.store.tables import Bot, Entrant, Event, Match, Pair, Round, Series, Tournament
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
    cup = Cup(database, entries=entries, pairs=2, format="swiss", settings=Settings(rounds=wanted))
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
    cup = Cup(database, entries=4, pairs=1, format="swiss", settings=Settings(rounds=2))
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
    cup = Cup(database, entries=3, pairs=1, format="swiss", settings=Settings(rounds=1))
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
        cup.create("x", settings=Settings(rounds=3))
    with pytest.raises(InvalidError, match="rounds: expected 1 to"):
        cup.create("x", format="swiss", seats=2, settings=Settings(rounds=1000))


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


def test_a_double_elimination_is_seeded_by_the_order_of_entry(database: Database) -> None:
    cup = Cup(database, entries=6, pairs=1, format="double_elimination")
    event = cup.start().event
    cup.play_to_the_end()
    assert cup.show().state == "complete"
    with database.read() as session:
        tournament = session.get_one(Tournament, cup.id)
        terms = field_of(session, session.get_one(Event, event), tournament)
        names = {
            row.bot_version: session.get_one(Bot, row.bot_id).name
            for row in session.scalars(select(Entrant))
        }
        played = history(session, event)
    assert [names[version] for version in terms.seeding] == [f"bot-{n}" for n in range(6)]
    table = DoubleElimination().table(terms, played)
    # Seat 0 wins every match of the tests: all encounters are drawn, so the seeding tells.
    assert [names[line.entrant] for line in table][:2] == ["bot-0", "bot-1"]
    assert len(played) == 3 * 6
    seeds_are_proven(database)


def test_a_ladder_seeds(database: Database) -> None:
    cup = Cup(database, entries=0, pairs=1)
    ladder = cup.arena
    rated = [ladder.enter(f"bot-{number}") for number in range(3)]
    ladder.close()
    work = ladder.work()
    while (found := work.lease("w", now=ladder.due)) is not None:
        for match in found.matches:
            # The higher the number, the better it plays.
            strong = max(match.players, key=[row.id for row in rated].index)
            ranks = [1 if player == strong else 2 for player in match.players]
            assert work.accept(found.series, found.fence, outcome(match, ranks), now=ladder.due)
    slots.tick(database, ladder.due)
    settings = Settings(seeding=ladder.ladder)
    cup.id = cup.create("seeded", format="double_elimination", settings=settings).id
    for name in ("new", "bot-0", "bot-2", "bot-1"):
        cup.enter(name)
    ladder.submit("bot-1", b"newer")
    cup.start()
    with database.read() as session:
        rows = session.scalars(
            select(Entrant).where(col(Entrant.event) == cup.show().event).order_by(Entrant.seed)
        ).all()
        seeded = [(row.seed, session.get_one(Bot, row.bot_id).name) for row in rows]
        assert seeded == [(1, "bot-2"), (2, "bot-1"), (3, "bot-0"), (4, "new")]
        ratings = [row.rating for row in rows]
    assert ratings[3] is None
    assert ratings[:3] == sorted((each for each in ratings if each is not None), reverse=True)
    seeds_are_proven(database)


def test_a_gauntlet(database: Database) -> None:
    cup = Cup(database, entries=0, pairs=1)
    bold = cup.arena.submit("bot-1").bot_id
    settings = Settings(challengers=(bold,))
    cup.id = cup.create("bold", format="gauntlet", settings=settings).id
    for number in range(5):
        cup.enter(f"bot-{number}")
    cup.start()
    cup.play()
    assert cup.show().state == "complete"
    rows = {row.bot: row.pairs for row in tournament_standings(database, cup.id)}
    assert rows == {"bot-1": 4} | {f"bot-{n}": 1 for n in (0, 2, 3, 4)}
    seeds_are_proven(database)


def test_a_test_with_a_rule_stops_when_it_knows(database: Database) -> None:
    settings = Settings(sprt=Sprt(0.0, 10.0))
    cup = Cup(database, entries=2, pairs=400, format="test", settings=settings)
    event = cup.start().event
    with pytest.raises(ConflictError, match="has started"):
        cup.start()
    with database.read() as session:
        first, other = field_of(
            session, session.get_one(Event, event), session.get_one(Tournament, cup.id)
        ).seeding
    work = cup.arena.work()
    while cup.show().state == "running":
        while (found := work.lease("w", now=LATER)) is not None:
            for match in found.matches:
                ranks = [1 if player == first else 2 for player in match.players]
                done = outcome(match, ranks)
                assert work.accept(found.series, found.fence, done, now=LATER)
        slots.tick(database, LATER)
    rows = {row.version_id: row for row in tournament_standings(database, cup.id)}
    assert (rows[first].credit, rows[other].credit) == (1.0, 0.0)
    assert rows[first].pairs < 400
    assert rows[first].pairs % 16 == 0
    seeds_are_proven(database)


def test_what_a_format_does_not_ask_for_is_refused(database: Database) -> None:
    cup = Cup(database, entries=0)
    bot = cup.arena.submit("bot").bot_id
    for field, format, settings in (
        ("challengers", "swiss", Settings(challengers=(bot,))),
        ("challengers", "gauntlet", Settings()),
        ("challengers", "gauntlet", Settings(challengers=("nobody",))),
        ("seeding", "swiss", Settings(seeding=cup.arena.ladder)),
        ("sprt", "round_robin", Settings(sprt=Sprt(0.0, 1.0))),
        ("rounds", "double_elimination", Settings(rounds=2)),
    ):
        with pytest.raises(InvalidError) as raised:
            cup.create("x", format=format, settings=settings)
        assert raised.value.field == field
    with pytest.raises(NotFoundError):
        cup.create("x", format="double_elimination", settings=Settings(seeding="nothing"))
    with pytest.raises(InvalidError, match="elo1: expected more than 5"):
        sprt(5.0, 5.0, 0.0, 0.0)
    with pytest.raises(InvalidError, match="elo0: expected -1000 to 1000"):
        sprt(float("nan"), 5.0, 0.0, 0.0)
    cup.id = cup.create("two", format="test").id
    cup.enter("a")
    cup.enter("b")
    with pytest.raises(ConflictError, match="is full: a test is of 2"):
        cup.enter("c")
