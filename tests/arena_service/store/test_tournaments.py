"""A tournament: created, entered, started, played, completed."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import slots
from arena_service.store import bounds, queries, tournaments
from arena_service.store.database import Database
from arena_service.store.entries import Entered
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.standings import tournament_standings
from arena_service.store.states import VersionState
from arena_service.store.tables import BotVersion, Entrant, Match, MatchSeat, Pair, Rating
from engine_service.core.seeds import bot_seed, deal_seed, entrants_digest
from tests.arena_service.store.arena import GAME, NOON, outcome
from tests.arena_service.store.cup import LATER, Cup


def legs_by_pair(db: Database) -> dict[str, list[tuple[str, ...]]]:
    """By pair: who sits where in each leg."""
    seated: dict[str, list[tuple[str, ...]]] = {}
    with db.read() as session:
        for match in session.scalars(select(Match).order_by(col(Match.leg))):
            seats = select(col(MatchSeat.bot_version)).where(col(MatchSeat.match) == match.id)
            players = session.scalars(seats.order_by(col(MatchSeat.seat)))
            seated.setdefault(match.pair or "", []).append(tuple(players))
    return seated


@pytest.mark.parametrize(
    ("entries", "seats", "pairs"),
    [(0, 2, 3), (1, 2, 3), (2, 2, 9), (3, 2, 2), (7, 2, 1), (2, 3, 3), (3, 3, 2), (4, 3, 1)],
)
def test_everybody_plays_everybody_on_every_seat(
    database: Database, entries: int, seats: int, pairs: int
) -> None:
    cup = Cup(database, entries=entries, seats=seats, pairs=pairs)
    started = cup.start()
    assert started.entrants == entries
    played = legs_by_pair(database)
    met = Counter(frozenset(legs[0]) for legs in played.values())
    with database.read() as session:
        everybody = list(session.scalars(select(col(Entrant.bot_version))))
    assert met == {frozenset(group): pairs for group in combinations(everybody, seats)}
    for legs in played.values():
        rotations = {legs[0][shift:] + legs[0][:shift] for shift in range(seats)}
        assert set(legs) == rotations
    cup.play()
    ended = cup.show()
    assert ended.state == "complete"
    assert ended.key is not None
    rows = tournament_standings(database, cup.id)
    assert len(rows) == entries
    each = comb(entries - 1, seats - 1) * pairs if entries else 0
    assert all(row.pairs == each for row in rows)


@pytest.mark.parametrize(("entries", "seats"), [(0, 2), (1, 2), (2, 3)])
def test_with_nothing_to_play_it_is_complete_at_once(
    database: Database, entries: int, seats: int
) -> None:
    cup = Cup(database, entries=entries, seats=seats)
    announced = cup.show().commitment
    ended = cup.start()
    assert (ended.state, ended.started_at, ended.ended_at) == ("complete", NOON, NOON)
    assert ended.key is not None
    assert hashlib.sha256(ended.key).hexdigest() == announced
    assert queries.waiting_series(database) == 0
    slots.tick(database, LATER)
    assert cup.show() == ended


def test_key_and_entrants_prove_every_seed(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=9)
    announced = cup.show()
    assert (announced.key, announced.entrants_digest) == (None, None)
    running = cup.start()
    assert (running.key, running.commitment) == (None, announced.commitment)
    cup.play()
    ended = cup.show()
    key, digest = ended.key, ended.entrants_digest
    assert key is not None
    assert digest is not None
    assert hashlib.sha256(key).hexdigest() == announced.commitment
    with database.read() as session:
        entered = [(row.bot_id, row.sha256) for row in session.scalars(select(Entrant))]
        assert entrants_digest(entered) == digest
        for pair in session.scalars(select(Pair)):
            assert pair.seed == deal_seed(key, ended.event, digest, pair.number).hex()
        rows = session.execute(
            select(Match, MatchSeat, col(Pair.number))
            .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
            .join(Pair, col(Pair.id) == col(Match.pair))
        )
        for match, seat, number in rows:
            expected = bot_seed(key, ended.event, digest, number, match.leg, seat.seat)
            assert (seat.bot_seed, match.seats) == (expected, 2)
        sizes = Counter(session.scalars(select(col(Match.series))))
        assert Counter(sizes.values()) == {16: 3, 2: 3}


def test_ratings_are_of_the_tournament_alone(database: Database) -> None:
    first, second = Cup(database), None
    first.start()
    first.play()
    second = first.create("second")
    for row in tournament_standings(database, first.id):
        with database.read() as session:
            bot = session.get_one(BotVersion, row.version_id).bot
        tournaments.enter(database, second.id, bot)
    first.id = second.id
    first.start()
    work = first.arena.work()
    while (found := work.lease("w", now=LATER)) is not None:
        for match in found.matches:
            assert work.accept(found.series, found.fence, outcome(match, [2, 1]), now=LATER)
    slots.tick(database, LATER)
    rows = tournament_standings(database, second.id)
    assert [row.pairs for row in rows] == [4, 4, 4]
    assert sum(row.rating or 0 for row in rows) == pytest.approx(0, abs=1e-6)
    with database.read() as session:
        assert len(session.scalars(select(Rating)).all()) == 6


def test_standings_of_a_running_tournament_count_whole_pairs(database: Database) -> None:
    cup = Cup(database, entries=2, pairs=2)
    cup.start()
    work = cup.arena.work()
    found = work.lease("w", now=NOON)
    assert found is not None
    for match in found.matches[:3]:
        ended = outcome(match, [1, 2], ending="timeout", at_fault=1)
        assert work.accept(found.series, found.fence, ended, now=NOON)
    rows = tournament_standings(database, cup.id)
    assert [(row.pairs, row.wins, row.losses, row.faults) for row in rows] == [(1, 1, 1, 1)] * 2
    assert all(row.rating is None for row in rows)


def test_before_the_start_the_entered_bots_are_shown(database: Database) -> None:
    cup = Cup(database)
    rows = tournament_standings(database, cup.id)
    assert [(row.bot, row.pairs) for row in rows] == [("bot-0", 0), ("bot-1", 0), ("bot-2", 0)]


def test_the_newest_active_version_at_the_start_plays(database: Database) -> None:
    cup = Cup(database, entries=2)
    cup.arena.submit("bot-0", b"newer")
    fresh = cup.arena.submit("bot-1", b"not checked yet")
    _set_state(database, fresh.id, VersionState.CHECKING)
    assert cup.arena.submit("bot-0", b"newer").version == 2
    cup.start()
    cup.arena.submit("bot-0", b"too late")
    rows = tournament_standings(database, cup.id)
    assert {(row.bot, row.version) for row in rows} == {("bot-0", 2), ("bot-1", 1)}


def test_a_bot_in_its_first_check_may_enter_and_plays_once_it_is_active(
    database: Database,
) -> None:
    cup = Cup(database, entries=2)
    fresh = cup.arena.submit("fresh")
    _set_state(database, fresh.id, VersionState.CHECKING)
    assert tournaments.enter(database, cup.id, fresh.bot_id) == Entered(fresh.id, 1, "checking")
    assert len(tournament_standings(database, cup.id)) == 2
    _set_state(database, fresh.id, VersionState.ACTIVE)
    assert tournaments.enter(database, cup.id, fresh.bot_id) == Entered(fresh.id, 1, "active")
    assert cup.start().entrants == 3


def test_entries_change_while_open_and_not_after(database: Database) -> None:
    cup = Cup(database, entries=3)
    bot = cup.arena.submit("bot-0").bot_id
    tournaments.leave(database, cup.id, bot)
    assert cup.show().entrants == 2
    with pytest.raises(ConflictError, match="is not entered"):
        tournaments.leave(database, cup.id, bot)
    again = tournaments.enter(database, cup.id, bot)
    assert tournaments.enter(database, cup.id, bot) == again
    assert cup.show().entrants == 3
    cup.start()
    for change in (tournaments.enter, tournaments.leave):
        with pytest.raises(ConflictError, match="closed"):
            change(database, cup.id, bot)
    with pytest.raises(ConflictError, match="running"):
        cup.start()


def test_entries_are_bounded(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_PAIRS_PLANNED", 12)
    cup = Cup(database, entries=4, pairs=2)
    with pytest.raises(ConflictError, match="full"):
        cup.enter("one-too-many")
    monkeypatch.setattr(bounds, "MAX_ENTRIES", 3)
    with pytest.raises(ConflictError, match="full"):
        cup.start()
    assert cup.show().state == "open"


def test_a_bot_of_another_game_does_not_enter(database: Database) -> None:
    cup = Cup(database)
    version = cup.arena.submit("other")
    with database.write() as session:
        session.get_one(BotVersion, version.id).games = ["chess"]
    with pytest.raises(ConflictError, match=GAME):
        tournaments.enter(database, cup.id, version.bot_id)


def test_faulty_tournaments_are_refused_by_field(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(database, entries=0)
    for field, changes in (
        ("pairs", {"pairs": 1001}),
        ("pairs", {"pairs": -1}),
        ("format", {"format": "chaos"}),
        ("move_cpu_ms", {"limits": {"move_cpu_ms": -1}}),
    ):
        with pytest.raises(InvalidError) as raised:
            cup.create("x", **changes)
        assert raised.value.field == field
    with pytest.raises(InvalidError, match="name"):
        cup.create("No name")
    with pytest.raises(ConflictError, match="taken"):
        cup.create("cup")
    monkeypatch.setattr(bounds, "MAX_OPEN_OF_AN_OWNER", 1)
    with pytest.raises(ConflictError, match="at most 1"):
        cup.create("second")
    cup.start()
    cup.create("second")


def test_tournaments_are_listed_newest_first(database: Database) -> None:
    cup = Cup(database, entries=0)
    cup.create("another")
    assert [row.name for row in tournaments.all_tournaments(database)] == ["another", "cup"]
    assert tournaments.show(database, "cup") == cup.show()
    with pytest.raises(NotFoundError):
        tournaments.show(database, "nothing")


def test_an_id_is_found_before_a_name_like_it(database: Database) -> None:
    cup = Cup(database, entries=0)
    cup.create(cup.id)
    assert tournaments.show(database, cup.id).name == "cup"


def test_matches_are_found_by_tournament(database: Database) -> None:
    cup = Cup(database, entries=2, pairs=1)
    cup.start()
    rows = search(database, MatchSearch(tournament=cup.id))
    assert [(row.pair, row.leg) for row in rows] == [(0, 0), (0, 1)]
    assert search(database, MatchSearch(ladder=cup.arena.ladder)) == []


def _set_state(database: Database, version: str, state: VersionState) -> None:
    with database.write() as session:
        session.get_one(BotVersion, version).state = state
