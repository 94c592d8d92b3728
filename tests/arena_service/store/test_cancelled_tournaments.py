"""A tournament that is ended before its last match: nothing more is played, nothing is lost."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import slots
from arena_service.scheduling.sweep import expire_leases
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.progress import event_progress
from arena_service.store.standings import tournament_standings
from arena_service.store.tables import Attempt, Match, Result, Series
from arena_service.work import Late
from tests.arena_service.store.arena import NOON, outcome
from tests.arena_service.store.cup import LATER, Cup


def test_a_worker_in_the_middle_stops_and_its_late_posts_are_refused(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=2)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    first, second, third, fourth = held.matches
    for match in (first, second, third):
        assert work.accept(held.series, held.fence, outcome(match), now=NOON)
    cup.cancel()
    assert not work.progress(held.series, held.fence, {fourth.match_id: 5}, now=LATER)
    assert not work.accept(held.series, held.fence, outcome(fourth), now=LATER)
    assert work.accept(held.series, held.fence, outcome(first), now=LATER)
    work.fail(held.series, held.fence, "worker", "late", Late(fourth.match_id, 0), now=LATER)
    assert work.lease("w", now=LATER + timedelta(days=1)) is None
    assert expire_leases(database, LATER + timedelta(days=1)) == 0
    with database.read() as session:
        results = set(session.scalars(select(col(Result.match))))
        assert results == {match.match_id for match in (first, second, third)}
        for match in session.scalars(select(Match)):
            assert match.state == ("finished" if match.id in results else "cancelled")
        assert set(session.scalars(select(col(Series.state)))) == {"cancelled"}
        fences = session.scalars(select(col(Series.fence)).order_by(col(Series.fence)))
        assert list(fences) == [1, 1, held.fence + 1]
        ended = session.scalars(select(Attempt).where(col(Attempt.match) == fourth.match_id)).one()
        assert (ended.outcome, ended.cause, ended.ended_at) == ("failed", "operator", LATER)


def test_results_stay_and_the_key_is_public(database: Database) -> None:
    cup = Cup(database, entries=2, pairs=2)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    for match in held.matches[:3]:
        assert work.accept(held.series, held.fence, outcome(match), now=NOON)
    ended = cup.cancel()
    assert (ended.state, ended.ended_at) == ("cancelled", LATER)
    assert ended.key is not None
    assert hashlib.sha256(ended.key).hexdigest() == ended.commitment
    rows = tournament_standings(database, cup.id)
    assert [(row.pairs, row.wins, row.rating) for row in rows] == [(1, 1, None)] * 2
    seen = event_progress(database, ended.event, LATER)
    assert (seen.state, seen.pairs_planned, seen.pairs_done) == ("cancelled", 1, 1)
    assert seen.pairs_cancelled == 1
    assert (seen.matches_planned, seen.matches_done, seen.matches_running) == (4, 3, 0)
    assert seen.eta_seconds is None
    rows_of_matches = search(database, MatchSearch(tournament=cup.id))
    assert [row.state for row in rows_of_matches] == ["finished"] * 3 + ["cancelled"]
    slots.tick(database, LATER)
    assert cup.show() == ended


def test_an_open_tournament_is_cancelled_too(database: Database) -> None:
    cup = Cup(database)
    ended = cup.cancel()
    assert (ended.state, ended.started_at, ended.entrants) == ("cancelled", None, 3)
    with pytest.raises(ConflictError, match="cancelled"):
        cup.start()
    with pytest.raises(ConflictError, match="cancelled"):
        cup.enter("late")
    assert len(tournament_standings(database, cup.id)) == 3


def test_what_has_ended_is_not_cancelled(database: Database) -> None:
    cup = Cup(database, entries=1)
    cup.start()
    for _ in range(2):
        with pytest.raises(ConflictError, match="complete"):
            cup.cancel()
    assert cup.show().state == "complete"


def test_progress_tells_the_pace_so_far(database: Database) -> None:
    cup = Cup(database, entries=2, pairs=4)
    event = cup.show().event
    before = event_progress(database, event, NOON)
    assert (before.state, before.matches_planned, before.eta_seconds) == ("open", 0, None)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    waiting = event_progress(database, event, LATER)
    assert (waiting.matches_running, waiting.eta_seconds) == (1, None)
    for match in held.matches[:2]:
        assert work.accept(held.series, held.fence, outcome(match), now=LATER)
    seen = event_progress(database, event, LATER)
    assert (seen.pairs_done, seen.matches_done, seen.matches_running) == (1, 2, 1)
    assert seen.eta_seconds == pytest.approx(3 * 60)
    assert event_progress(database, event, NOON - timedelta(hours=1)).eta_seconds is None
