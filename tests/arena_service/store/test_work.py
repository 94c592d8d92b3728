"""Leases, fences and accepted results, on both databases and through both doors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlmodel import col

from arena_service.scheduling.sweep import expire_leases
from arena_service.store import queries
from arena_service.store.database import Database
from arena_service.store.tables import Attempt, Evidence, Ledger, Refusal, Result, Series
from arena_service.store.terms import DEFAULT_LIMITS, MAX_LIMITS
from tests.arena_service.store.arena import lease, no_contest, outcome, play
from tests.arena_service.store.doors import GRPC, STORE, DoorArena, Doors, doors_to
from workers.match.clock import wall_cap


@pytest.fixture(params=[STORE, GRPC])
def doors(request: pytest.FixtureRequest, database: Database) -> Iterator[Doors]:
    with doors_to(database, request.param) as opened:
        yield opened


@pytest.fixture
def arena(doors: Doors) -> DoorArena:
    """Three bots, two pairs each with each, planned."""
    small = DoorArena(doors.db, doors=doors)
    small.close()
    return small


def count(db: Database, table: type) -> int:
    with db.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_lease_has_everything_a_worker_needs(arena: DoorArena) -> None:
    found = lease(arena)
    assert len(found.matches) == 4
    assert {match.leg for match in found.matches} == {0, 1}
    first, second = found.matches[:2]
    assert first.seed == second.seed
    assert first.players == second.players[::-1]
    assert len({seed for match in found.matches for seed in match.bot_seeds}) == 8
    assert set(found.artifacts) == set(first.players)
    for sha256, run in found.artifacts.values():
        assert arena.work().artifact(sha256).startswith(b"bot-")
        assert run == ["python3", "main.py"]
    assert found.limits["move_cpu_ms"] == 200


def test_each_series_is_leased_once(arena: DoorArena) -> None:
    found = [lease(arena).series for _ in range(3)]
    assert len(set(found)) == 3
    assert arena.work().lease("w", now=arena.due) is None


def test_the_same_post_again_is_a_quiet_no_op(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    post = outcome(found.matches[0])
    for _ in range(3):
        assert work.accept(found.series, found.fence, post, now=arena.due)
    assert count(arena.db, Result) == count(arena.db, Ledger) == 1
    assert count(arena.db, Evidence) == 2
    assert count(arena.db, Refusal) == 0


def test_a_contradicting_post_is_refused_and_recorded(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    match = found.matches[0]
    assert work.accept(found.series, found.fence, outcome(match), now=arena.due)
    assert not work.accept(found.series, found.fence, outcome(match, [2, 1]), now=arena.due)
    detail = queries.match_detail(arena.db, match.match_id)
    assert [player.rank for player in detail.match.players] == [1, 2]
    with arena.db.read() as session:
        assert "contradicts" in session.scalars(select(col(Refusal.reason))).one()


def test_refusals_are_bounded(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    expire_leases(arena.db, arena.due + timedelta(hours=1))
    for _ in range(30):
        assert not work.accept(found.series, found.fence, outcome(found.matches[0]), now=arena.due)
    assert count(arena.db, Refusal) == 20


def test_a_late_post_is_refused_and_recorded(arena: DoorArena) -> None:
    early = lease(arena)
    expire_leases(arena.db, arena.due + timedelta(hours=1))
    late = arena.work().accept(early.series, early.fence, outcome(early.matches[0]))
    assert not late
    assert count(arena.db, Result) == 0
    with arena.db.read() as session:
        assert session.scalars(select(col(Refusal.reason))).one() == "the lease is lost"


def test_a_lost_lease_is_told_and_the_next_has_a_higher_fence(arena: DoorArena) -> None:
    for _ in range(2):
        lease(arena)
    early = lease(arena)
    later = arena.due + timedelta(hours=1)
    assert expire_leases(arena.db, later) == 3
    again = [lease(arena, hours=1) for _ in range(3)]
    mine = next(each for each in again if each.series == early.series)
    assert mine.fence == early.fence + 1
    work, match = arena.work(), early.matches[0]
    assert not work.progress(early.series, early.fence, {match.match_id: 3}, now=later)
    assert not work.accept(early.series, early.fence, outcome(match), now=later)
    assert work.accept(mine.series, mine.fence, outcome(match), now=later)


def test_only_unfinished_matches_go_back(arena: DoorArena) -> None:
    early, work = lease(arena), arena.work()
    for match in early.matches[:3]:
        assert work.accept(early.series, early.fence, outcome(match), now=arena.due)
    expire_leases(arena.db, arena.due + timedelta(hours=1))
    later = [lease(arena, hours=1) for _ in range(3)]
    mine = next(each for each in later if each.series == early.series)
    assert [match.match_id for match in mine.matches] == [early.matches[3].match_id]
    assert mine.matches[0] == early.matches[3]
    # The answer to an accepted post was lost with the lease: the same post is still welcome.
    assert work.accept(early.series, early.fence, outcome(early.matches[0]))


def test_a_result_ends_a_series_only_with_the_last_match(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    play(work, found, arena.due)
    plies = {found.matches[0].match_id: 1}
    assert not work.progress(found.series, found.fence, plies, now=arena.due)
    with arena.db.read() as session:
        assert session.get_one(Series, found.series).state == "done"


def test_progress_renews_at_most_every_quarter_and_only_when_a_match_advances(
    arena: DoorArena,
) -> None:
    work, found = arena.work(), lease(arena)
    match = found.matches[0].match_id

    def until(ply: int, seconds: float) -> float:
        now = arena.due + timedelta(seconds=seconds)
        assert work.progress(found.series, found.fence, {match: ply}, now=now)
        with arena.db.read() as session:
            end = session.get_one(Series, found.series).lease_until
        assert end is not None
        return (end - arena.due).total_seconds()

    length = until(1, 1)
    assert length >= 60
    assert until(2, length / 4 - 1) == length
    assert until(3, length / 4) == length * 1.25
    assert until(3, length) == length * 1.25
    assert until(4, length) == length * 2


@pytest.mark.parametrize("limits", [DEFAULT_LIMITS, MAX_LIMITS, dict.fromkeys(MAX_LIMITS, 1)])
def test_a_lease_outlives_the_longest_silence_of_honest_bots(
    doors: Doors, limits: dict[str, int]
) -> None:
    database = doors.db
    arena = DoorArena(database, seats=4, entries=4, doors=doors)
    arena.close()
    with database.write() as session:
        session.execute(update(Series).values(limits=limits))
    work = arena.work(lease_seconds=1)
    found = work.lease("w", now=arena.due)
    assert found is not None
    match = found.matches[0].match_id
    with database.read() as session:
        end = session.get_one(Series, found.series).lease_until
    assert end is not None
    start = wall_cap(limits["start_cpu_ms"]) / 1000
    answer = wall_cap(limits["move_cpu_ms"] + limits["bank_cpu_ms"]) / 1000
    silence = timedelta(seconds=4 * start + answer + max(start, answer))
    told = arena.due + (end - arena.due) * 0.249
    assert work.progress(found.series, found.fence, {match: 0}, now=told)
    assert expire_leases(database, told + silence) == 0
    assert work.progress(found.series, found.fence, {match: 1}, now=told + silence)


def test_a_drill_can_ask_for_shorter_leases(arena: DoorArena, doors: Doors) -> None:
    found = doors.open(60, at_most=3).lease("w", now=arena.due)
    assert found is not None
    with arena.db.read() as session:
        end = session.get_one(Series, found.series).lease_until
    assert end is not None
    assert (end - arena.due).total_seconds() == 3


@pytest.mark.parametrize("cause", ["engine", "worker", "infrastructure", "operator"])
def test_a_failure_gives_back_after_a_pause_and_keeps_its_cause(
    arena: DoorArena, cause: str
) -> None:
    found, work = lease(arena), arena.work()
    work.fail(found.series, found.fence, cause, "x" * 10_000, now=arena.due)
    work.fail(found.series, found.fence, cause, "again", now=arena.due)
    assert found.series not in {lease(arena).series for _ in range(2)}
    assert work.lease("w", now=arena.due) is None
    again = lease(arena, seconds=2)
    assert again.series == found.series
    with arena.db.read() as session:
        old = session.scalars(
            select(Attempt).where(
                col(Attempt.series) == found.series, col(Attempt.fence) == found.fence
            )
        ).all()
    assert {(each.outcome, each.cause, len(each.detail)) for each in old} == {
        ("failed", cause, 2000)
    }


def test_a_bot_cannot_be_the_cause_of_a_replay(arena: DoorArena) -> None:
    found = lease(arena)
    with pytest.raises(ValueError, match="cause: expected one of"):
        arena.work().fail(found.series, found.fence, "bot", "")


def test_attempts_kept_are_bounded(arena: DoorArena) -> None:
    work, now = arena.work(), arena.due
    for _ in range(24):
        now += timedelta(minutes=5)
        while (found := work.lease("w", now=now)) is not None:
            work.fail(found.series, found.fence, "engine", "", now=now)
    assert count(arena.db, Attempt) <= 12 * 22


def test_posts_that_do_not_fit_the_plan_are_refused(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    match = found.matches[0]
    good = outcome(match)
    nan = float("nan")
    bad = [
        replace(good, replay=good.replay | {"seed": "00"}),
        replace(good, replay=good.replay | {"game": "other"}),
        replace(good, replay=good.replay | {"plies": good.replay["plies"] * 10_001}),
        replace(good, replay=good.replay | {"plies": None}),
        replace(good, replay=good.replay | {"teams": [0]}),
        replace(good, replay=good.replay | {"teams": [0, 0]}),
        replace(good, replay=good.replay | {"result": None}),
        outcome(match, ending="surrender"),
        outcome(match, [1]),
        outcome(match, [0, 3]),
        outcome(match, at_fault=2),
        replace(good, seat_cpu_ms=[1.0]),
        replace(good, seat_cpu_ms=[1.0, nan]),
        replace(good, evidence=good.evidence * 2),
        replace(good, evidence=[good.evidence[0] | {"seat": 5}]),
    ]
    for post in bad:
        assert not work.accept(found.series, found.fence, post, now=arena.due)
    assert not work.accept("other", found.fence, good, now=arena.due)
    assert count(arena.db, Result) == 0
    assert count(arena.db, Refusal) == len(bad)
    assert work.accept(found.series, found.fence, good, now=arena.due)


def test_evidence_is_cut_to_its_bounds(arena: DoorArena) -> None:
    found = lease(arena)
    post = outcome(found.matches[0])
    post.evidence[1].update(
        stderr_tail="a\x00" * 100_000, notes=[[0, "n" * 5000]], cpu_per_ply=[float("inf")]
    )
    assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    kept = queries.match_detail(arena.db, found.matches[0].match_id).evidence[1]
    assert len(kept.stderr_tail) == 64 * 1024
    assert len(kept.notes[0][1]) == 1024
    assert kept.cpu_per_ply == (0.0,)


def test_no_contest_is_kept_but_leaves_its_whole_pair_unrated(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    assert work.accept(found.series, found.fence, no_contest(found.matches[0]), now=arena.due)
    for match in found.matches[1:]:
        assert work.accept(found.series, found.fence, outcome(match), now=arena.due)
    rows = queries.standings(arena.db, arena.ladder).rows
    assert sorted(row.pairs for row in rows) == [0, 1, 1]
    detail = queries.match_detail(arena.db, found.matches[0].match_id)
    assert [player.rank for player in detail.match.players] == [None, None]


def test_the_replay_names_its_players(arena: DoorArena) -> None:
    found = lease(arena)
    match = found.matches[0]
    assert queries.replay(arena.db, match.match_id) is None
    assert arena.work().accept(found.series, found.fence, outcome(match), now=arena.due)
    stored = queries.replay(arena.db, match.match_id)
    assert stored is not None
    assert b'"players":[{"bot":"ann2/bot-' in stored


def test_a_pair_is_complete_with_its_last_leg(arena: DoorArena) -> None:
    found, work = lease(arena), arena.work()
    first = [match for match in found.matches if match.pair == found.matches[0].pair]
    for index, match in enumerate(first):
        assert work.accept(found.series, found.fence, outcome(match), now=arena.due)
        complete = queries.match_detail(arena.db, first[0].match_id).pair_complete
        assert complete == (index == len(first) - 1)
