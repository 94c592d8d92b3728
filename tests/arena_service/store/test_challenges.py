"""Challenges: begun at once, within a quota, rated nowhere."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import event, func, select

from arena_service.quotas import Quotas
from arena_service.scheduling import slots
from arena_service.scheduling.challenges import challenge
from arena_service.store import bot_pages, bots, tournaments
from arena_service.store.challenges import outcome as summary
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError, QuotaError
from arena_service.store.standings import standings
from arena_service.store.tables import BotVersion, Rating
from arena_service.store.tournaments import TournamentRow
from tests.arena_service.store.arena import (
    GAME,
    NOON,
    SmallArena,
    lease,
    no_contest,
    outcome,
    play_all,
)

LATER = NOON + timedelta(minutes=1)


@pytest.fixture
def arena(database: Database) -> SmallArena:
    """A ladder of three bots, whose first slot is not due yet."""
    return SmallArena(database)


def ids(arena: SmallArena, count: int = 2) -> list[str]:
    return [bots.version(arena.db, version).bot_id for version in arena.versions[:count]]


def begin(arena: SmallArena, count: int = 2, **terms: object) -> TournamentRow:
    given = {"game": GAME, "pairs": 2, "rules_version": 1} | terms
    return challenge(arena.db, arena.owner, ids(arena, count), NOON, **given)  # type: ignore[arg-type]


def test_it_is_played_at_once_and_summed_up(arena: SmallArena) -> None:
    row = begin(arena)
    assert (row.state, row.seats, row.format) == ("running", 2, "challenge")
    assert summary(arena.db, row.id).matches == ()
    assert play_all(arena, LATER) == 1
    slots.tick(arena.db, LATER)
    seen = summary(arena.db, row.name)
    assert seen.challenge.state == "complete"
    assert seen.challenge.key is not None
    first, other = seen.sides
    assert first.standing.version_id == arena.versions[0]
    assert (first.points, other.points) == (2.0, 2.0)  # who sits first wins
    assert first.standing.rating is None
    assert seen.pentanomial is not None
    assert seen.pentanomial.counts == (0, 0, 2, 0, 0)
    assert [(match.pair, match.leg) for match in seen.matches] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert {match.kind for match in seen.matches} == {"challenge"}


def test_its_results_are_read_once(arena: SmallArena) -> None:
    row, asked = begin(arena), list[str]()
    play_all(arena, LATER)
    event.listen(arena.db.engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    assert summary(arena.db, row.id).sides[0].standing.pairs == 2
    assert sum("FROM ledger" in statement for statement in asked) == 1


def test_no_rating_and_no_record_comes_of_it(arena: SmallArena) -> None:
    row = begin(arena)
    play_all(arena, LATER)
    slots.tick(arena.db, LATER)
    assert tournaments.show(arena.db, row.id).state == "complete"
    with arena.db.read() as session:
        assert session.scalar(select(func.count()).select_from(Rating)) == 0
    page = bot_pages.bot_page(arena.db, ids(arena)[0])
    assert (page.versions[0].record.wins, page.versions[0].record.losses) == (0, 0)
    assert all(each.pairs == 0 for each in standings(arena.db, arena.ladder).rows)


def test_its_faults_take_nobody_out(arena: SmallArena) -> None:
    begin(arena)
    assignment = arena.work().lease("w", now=LATER)
    assert assignment is not None
    for match in assignment.matches:
        seat = match.players.index(arena.versions[0])
        lost = outcome(match, [2 - (s != seat) for s in range(2)], ending="crash", at_fault=seat)
        assert arena.work().accept(assignment.series, assignment.fence, lost, now=LATER)
    with arena.db.read() as session:
        assert session.get_one(BotVersion, arena.versions[0]).faults_in_a_row == 0
    (challenged,) = tournaments.all_tournaments(arena.db, challenges=True)
    assert summary(arena.db, challenged.id).sides[0].standing.faults == 4


def test_what_nobody_started_is_in_no_pair_that_counts(arena: SmallArena) -> None:
    row = begin(arena, pairs=1)
    assignment = arena.work().lease("w", now=LATER)
    assert assignment is not None
    for match in assignment.matches:
        arena.work().accept(assignment.series, assignment.fence, no_contest(match), now=LATER)
    slots.tick(arena.db, LATER)
    seen = summary(arena.db, row.id)
    assert seen.challenge.state == "complete"
    assert seen.pentanomial is not None
    assert seen.pentanomial.pairs == 0
    assert len(seen.matches) == 2


def test_more_seats_more_bots(database: Database) -> None:
    arena = SmallArena(database, seats=3)
    row = begin(arena, 3, pairs=1)
    assert row.seats == 3
    play_all(arena, LATER)
    seen = summary(arena.db, row.id)
    assert seen.pentanomial is None
    assert [len(seen.sides), len(seen.matches)] == [3, 3]
    assert sum(side.points for side in seen.sides) == pytest.approx(4.5)


def test_challenges_are_listed_apart_from_tournaments(arena: SmallArena) -> None:
    row = begin(arena)
    assert tournaments.all_tournaments(arena.db) == []
    assert [each.id for each in tournaments.all_tournaments(arena.db, challenges=True)] == [row.id]
    cup = tournaments.create_tournament(arena.db, arena.owner, "cup", GAME, {}, rules_version=1)
    with pytest.raises(NotFoundError, match="challenge"):
        summary(arena.db, cup.id)
    with pytest.raises(InvalidError, match="format"):
        tournaments.create_tournament(
            arena.db, arena.owner, "x", GAME, {}, format="challenge", rules_version=1
        )


def test_what_cannot_be_played_is_refused(arena: SmallArena) -> None:
    for count, terms, error, told in (
        (1, {}, InvalidError, "opponents"),
        (2, {"pairs": 101}, InvalidError, "pairs"),
        (2, {"game": "chess"}, ConflictError, "does not play chess"),
    ):
        with pytest.raises(error, match=told):
            begin(arena, count, **terms)
    twice = ids(arena, 1) * 2
    with pytest.raises(InvalidError, match="opponents"):
        challenge(arena.db, arena.owner, twice, NOON, GAME, rules_version=1)
    bots.disable(arena.db, arena.versions[1])
    with pytest.raises(ConflictError, match="no version is active"):
        begin(arena)


def test_a_quota_is_named_with_the_moment_when_it_frees(arena: SmallArena) -> None:
    quotas = Quotas(challenges_a_day=1)
    begin(arena, quotas=quotas)
    with pytest.raises(QuotaError) as refused:
        begin(arena, quotas=quotas)
    told = "your quota is 1 challenge within 24 hours; it frees at 2026-03-02 12:00:00 UTC"
    assert str(refused.value) == told
    with pytest.raises(QuotaError, match="when the operator"):
        begin(arena, quotas=Quotas(challenges_a_day=0))
    lease(arena)
