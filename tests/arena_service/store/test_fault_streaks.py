"""Ten rated matches in a row lost by its own fault take a version out, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena_service.store import bots, entries, fault_streaks, ladders, queries
from arena_service.store.database import Database
from arena_service.store.fault_streaks import MAX_IN_A_ROW
from arena_service.store.tables import BotVersion
from arena_service.work import AcceptedOutcome, Assignment, PlannedMatch
from tests.arena_service.store.arena import SmallArena, no_contest, outcome


@pytest.fixture
def arena(database: Database) -> SmallArena:
    """Two bots with a slot of sixteen matches."""
    small = SmallArena(database, entries=2, pairs=8)
    small.close()
    return small


@pytest.fixture
def leased(arena: SmallArena) -> Assignment:
    found = arena.work().lease("w", now=arena.due)
    assert found is not None
    return found


def fault(match: PlannedMatch, version: str, ending: str = "crash") -> AcceptedOutcome:
    """A match that a version ends by its own hand."""
    seat = match.players.index(version)
    lost = outcome(match, [1 + (each == seat) for each in range(2)], ending=ending, at_fault=seat)
    lost.evidence[seat]["limit"] = "a limit"
    return lost


def nobody(match: PlannedMatch) -> AcceptedOutcome:
    """Neither side started."""
    ended = no_contest(match)
    for kept in ended.evidence:
        kept["limit"] = "no `ready`"
    return ended


class Course:
    """Posts outcomes of a lease one after another."""

    def __init__(self, arena: SmallArena, leased: Assignment) -> None:
        self.arena, self.leased = arena, leased
        self.left: Iterator[PlannedMatch] = iter(leased.matches)

    def fault(self, version: str, times: int = 1, ending: str = "crash") -> None:
        for _ in range(times):
            self.post(fault(next(self.left), version, ending))

    def post(self, ended: AcceptedOutcome) -> None:
        assert self.arena.work().accept(
            self.leased.series, self.leased.fence, ended, now=self.arena.due
        )

    def state(self, version: str) -> str:
        return bots.version(self.arena.db, version).state


@pytest.fixture
def course(arena: SmallArena, leased: Assignment) -> Course:
    return Course(arena, leased)


def test_the_tenth_fault_in_a_row_takes_a_version_out(course: Course) -> None:
    bad, good = course.arena.versions
    course.fault(bad, 6, "timeout")
    course.fault(bad, MAX_IN_A_ROW - 7)
    assert course.state(bad) == "active"
    course.fault(bad)
    gone = bots.version(course.arena.db, bad)
    assert gone.state == "disabled"
    assert "10 rated matches in a row by its own fault (6 timeout, 4 crash)" in gone.reason
    assert "interrex bot log bot-0" in gone.reason
    assert course.state(good) == "active"


def test_one_match_without_a_fault_begins_the_count_anew(course: Course) -> None:
    bad, _ = course.arena.versions
    course.fault(bad, MAX_IN_A_ROW - 1)
    course.post(outcome(next(course.left)))
    course.fault(bad, 3)
    assert course.state(bad) == "active"


def test_resigning_is_no_fault(course: Course) -> None:
    bad, _ = course.arena.versions
    course.fault(bad, MAX_IN_A_ROW + 2, "resigned")
    assert course.state(bad) == "active"
    assert fault_streaks.recent(course.arena.db, bad, 20) == []


def test_both_that_never_start_are_taken_out(course: Course) -> None:
    for _ in range(MAX_IN_A_ROW):
        course.post(nobody(next(course.left)))
    assert [course.state(version) for version in course.arena.versions] == ["disabled"] * 2


def test_what_was_planned_is_still_played_and_the_next_slot_is_not(course: Course) -> None:
    bad, _ = course.arena.versions
    course.fault(bad, MAX_IN_A_ROW)
    for match in course.left:
        course.post(outcome(match))
    shown = queries.standings(course.arena.db, course.arena.ladder)
    assert (shown.pairs_done, shown.pairs_planned) == (8, 8)
    assert course.state(bad) == "disabled"
    with course.arena.db.read() as session:
        ladder = session.get_one(ladders.Ladder, course.arena.ladder)
        assert [each.id for each in entries.entrants(session, ladder)] == course.arena.versions[1:]


def test_the_faults_are_listed_the_newest_first(course: Course) -> None:
    bad, good = course.arena.versions
    course.fault(bad, 3)
    course.fault(good)
    played = [match.match_id for match in course.leased.matches]
    assert fault_streaks.recent(course.arena.db, bad, 2) == played[2:0:-1]
    assert fault_streaks.recent(course.arena.db, good, 20) == [played[3]]


def test_the_same_post_again_counts_once(course: Course) -> None:
    bad, _ = course.arena.versions
    course.fault(bad, MAX_IN_A_ROW - 2)
    last = fault(next(course.left), bad)
    for _ in range(3):
        course.post(last)
    assert course.state(bad) == "active"


def test_a_version_that_comes_back_is_counted_from_zero(course: Course) -> None:
    bad, _ = course.arena.versions
    course.fault(bad, MAX_IN_A_ROW)
    assert bots.check_again(course.arena.db, bad, ()).state == "active"
    course.fault(bad, 3)
    assert course.state(bad) == "active"


def test_matches_that_end_at_once_are_all_counted(database: Database) -> None:
    arena = SmallArena(database, entries=2, pairs=16)
    arena.close()
    leases = [arena.work().lease(worker, now=arena.due) for worker in "ab"]
    courses = [Course(arena, found) for found in leases if found is not None]

    def play(course: Course) -> None:
        for match in course.left:
            course.post(nobody(match))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, courses))
    with database.read() as session:
        counted = [session.get_one(BotVersion, each).faults_in_a_row for each in arena.versions]
    assert counted == [32, 32]
