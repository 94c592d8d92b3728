"""A version plays itself before it plays others, on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from arena_service.quotas import DEFAULTS
from arena_service.scheduling.checks import Check
from arena_service.store import bots, entries, ladders, queries
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, NotFoundError, QuotaError
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.states import now_utc
from arena_service.store.tables import Ledger, Series
from arena_service.store.terms import DEFAULT_LIMITS
from arena_service.work import AcceptedOutcome, Assignment, PlannedMatch
from tests.arena_service.store.arena import GAME, SmallArena, no_contest, outcome, play

TWO = (Check(GAME, 1, {}, 2),)
TWO_GAMES = (Check(GAME, 1, {}, 2), Check("four-winds", 3, {"long": True}, 4))


@pytest.fixture
def arena(database: Database) -> SmallArena:
    """A ladder without entries."""
    return SmallArena(database, entries=0)


def lease(arena: SmallArena, **later: float) -> Assignment:
    found = arena.work().lease("w", now=now_utc() + timedelta(**later))
    assert found is not None
    return found


def crashed(match: PlannedMatch, seat: int = 1, **kept: Any) -> AcceptedOutcome:
    """The bot on a seat ended."""
    ranks = [1] * match.seats
    ranks[seat] = match.seats
    found = outcome(match, ranks, ending="crash", at_fault=seat)
    found.evidence[seat] |= {"limit": "the process ended", "stderr_tail": "x\nboom\n"} | kept
    return found


def accept(arena: SmallArena, found: Assignment, outcome: AcceptedOutcome) -> None:
    assert arena.work().accept(found.series, found.fence, outcome)


def check(arena: SmallArena, **faults: Any) -> bots.BotVersionRow:
    """Submit `bot` and end its one check match, by a crash if `faults` are given."""
    row = arena.submit("bot", repr(faults).encode(), TWO)
    found = lease(arena)
    (match,) = found.matches
    accept(arena, found, crashed(match, **faults) if faults else outcome(match))
    return bots.version(arena.db, row.id)


def test_a_check_sits_the_version_on_every_seat_of_every_game(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO_GAMES)
    assert (row.state, row.reason) == ("checking", "")
    found = lease(arena)
    assert found.event == ""
    assert found.limits == DEFAULT_LIMITS
    assert [(m.game, m.rules_version, m.options, m.leg) for m in found.matches] == [
        (GAME, 1, {}, 0),
        ("four-winds", 3, {"long": True}, 0),
    ]
    assert [m.players for m in found.matches] == [[row.id] * 2, [row.id] * 4]
    deals = {bytes.fromhex(m.seed) for m in found.matches}
    seeds = {bytes.fromhex(seed) for m in found.matches for seed in m.bot_seeds}
    assert ([len(seed) for seed in deals], {len(seed) for seed in seeds}) == ([32, 32], {16})
    assert len(seeds) == 6
    assert [m.match_id for m in found.matches] == bots.check_matches(arena.db, row.id)


def test_checks_are_leased_before_what_was_planned_earlier(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    arena.submit("late", checks=TWO)
    assert lease(arena).event == ""
    assert lease(arena).event != ""


def test_the_version_is_active_when_the_last_match_is_accepted(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO_GAMES)
    found = lease(arena)
    first, second = found.matches
    accept(arena, found, outcome(first))
    assert bots.version(arena.db, row.id).state == "checking"
    accept(arena, found, outcome(second, [1, 1, 1, 4], ending="resigned", at_fault=3))
    assert bots.version(arena.db, row.id).state == "active"
    assert arena.work().lease("w", now=now_utc()) is None


def test_a_failed_check_is_told_and_kept(arena: SmallArena) -> None:
    failed = check(arena, stderr_tail="x\nboom\n")
    assert failed.state == "failed"
    assert failed.reason == (
        f"{GAME}: crash after 1 ply, seat 1: the process ended; "
        'last line on stderr: "boom". Repeat it at home with: interrex bot check DIR'
    )
    (match,) = bots.check_matches(arena.db, failed.id)
    kept = queries.match_detail(arena.db, match)
    assert (kept.match.kind, kept.pair_complete, kept.private_to) == ("check", True, arena.owner)
    assert kept.evidence[1].stderr_tail == "x\nboom\n"


def test_one_failed_game_is_enough(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO_GAMES)
    found = lease(arena)
    accept(arena, found, crashed(found.matches[0]))
    accept(arena, found, outcome(found.matches[1]))
    assert bots.version(arena.db, row.id).state == "failed"


def test_a_version_that_never_starts_has_failed(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO)
    found = lease(arena)
    ended = no_contest(found.matches[0])
    for kept in ended.evidence:
        kept |= {"limit": "no `ready`", "cpu_per_ply": [], "stderr_tail": ""}
    accept(arena, found, ended)
    failed = bots.version(arena.db, row.id)
    assert failed.state == "failed"
    assert f"{GAME}: no_contest at the start, seats 0 and 1: no `ready`" in failed.reason


def test_checks_never_enter_ledger_or_lists(arena: SmallArena) -> None:
    check(arena)
    with arena.db.read() as session:
        assert session.scalar(select(func.count()).select_from(Ledger)) == 0
    assert search(arena.db, MatchSearch()) == []


def test_trouble_of_the_arena_never_fails_a_version(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO)
    for attempt in range(4):
        found = lease(arena, minutes=5 * attempt)
        arena.work().fail(found.series, found.fence, "engine", "gone")
        assert bots.version(arena.db, row.id).state == "checking"
    play(arena.work(), lease(arena, minutes=60), now_utc())
    assert bots.version(arena.db, row.id).state == "active"


def test_the_same_files_are_the_same_version_whatever_its_state(arena: SmallArena) -> None:
    failed = check(arena, limit="no")
    again = arena.submit("bot", repr({"limit": "no"}).encode(), TWO)
    assert (again.id, again.state, again.created) == (failed.id, "failed", False)
    assert again.reason == failed.reason
    assert arena.work().lease("w", now=now_utc()) is None


def test_a_version_without_checks_is_active_at_once(arena: SmallArena) -> None:
    row = arena.submit("bot")
    assert (row.state, bots.check_matches(arena.db, row.id)) == ("active", [])


def test_the_newest_active_version_plays(database: Database) -> None:
    arena = SmallArena(database, entries=2)
    arena.submit("bot-0", b"newer", TWO)
    found = lease(arena)
    accept(arena, found, crashed(found.matches[0]))
    arena.submit("bot-1", b"newest", TWO)
    arena.close()
    rows = queries.standings(database, arena.ladder).rows
    assert {(row.bot, row.version) for row in rows} == {("bot-0", 1), ("bot-1", 1)}


def test_a_bot_may_be_entered_while_it_is_checked_and_plays_once_it_is_active(
    database: Database,
) -> None:
    arena = SmallArena(database, entries=2)
    row = arena.submit("new", checks=TWO)
    entered = ladders.enter(database, arena.ladder, row.bot_id)
    assert (entered.version_id, entered.state) == (row.id, "checking")
    with database.read() as session:
        shown = session.get_one(ladders.Ladder, arena.ladder)
        assert len(entries.entrants(session, shown)) == 2
    play(arena.work(), lease(arena), now_utc())
    with database.read() as session:
        assert len(entries.entrants(session, shown)) == 3


def test_a_bot_whose_every_version_failed_is_refused_with_the_reason(arena: SmallArena) -> None:
    failed = check(arena, limit="too slow")
    with pytest.raises(ConflictError, match=r"version 1 is failed: .*too slow"):
        ladders.enter(arena.db, arena.ladder, failed.bot_id)


def test_a_failed_version_is_checked_again(arena: SmallArena) -> None:
    failed = check(arena, limit="no")
    before = bots.check_matches(arena.db, failed.id)
    again = bots.check_again(arena.db, failed.id, TWO)
    assert (again.state, again.reason) == ("checking", "")
    assert bots.check_again(arena.db, failed.id, TWO).state == "checking"
    found = lease(arena)
    assert arena.work().lease("w", now=now_utc()) is None
    play(arena.work(), found, now_utc())
    assert bots.version(arena.db, failed.id).state == "active"
    assert bots.check_matches(arena.db, failed.id) != before
    with pytest.raises(ConflictError, match="active already"):
        bots.check_again(arena.db, failed.id, TWO)


def test_a_version_is_taken_out_and_comes_back(arena: SmallArena) -> None:
    row = check(arena)
    gone = bots.disable(arena.db, row.id)
    assert (gone.state, bots.disable(arena.db, row.id)) == ("disabled", gone)
    assert "interrex bot recheck bot" in gone.reason
    with pytest.raises(ConflictError, match="disabled"):
        ladders.enter(arena.db, arena.ladder, row.bot_id)
    bots.check_again(arena.db, row.id, TWO)
    play(arena.work(), lease(arena), now_utc())
    assert bots.version(arena.db, row.id).state == "active"


def test_taking_a_version_out_takes_its_waiting_check_back(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO)
    bots.disable(arena.db, row.id)
    assert arena.work().lease("w", now=now_utc()) is None
    with arena.db.read() as session:
        assert session.scalars(select(col(Series.state))).one() == "cancelled"


def test_a_check_that_was_overtaken_decides_nothing(arena: SmallArena) -> None:
    row = arena.submit("bot", checks=TWO)
    old = lease(arena)
    bots.disable(arena.db, row.id)
    bots.check_again(arena.db, row.id, TWO)
    accept(arena, old, crashed(old.matches[0]))
    assert bots.version(arena.db, row.id).state == "checking"
    play(arena.work(), lease(arena), now_utc())
    assert bots.version(arena.db, row.id).state == "active"


def test_a_failed_version_cannot_be_taken_out(arena: SmallArena) -> None:
    failed = check(arena, limit="no")
    with pytest.raises(ConflictError, match="failed its check"):
        bots.disable(arena.db, failed.id)


def test_so_many_checks_of_one_account_may_wait(arena: SmallArena) -> None:
    for number in range(DEFAULTS.checks_waiting):
        arena.submit("bot", str(number).encode(), TWO)
    with pytest.raises(QuotaError, match="20 checks waiting; it frees when one of them is played"):
        arena.submit("bot", b"one more", TWO)
    play(arena.work(), lease(arena), now_utc())
    assert arena.submit("bot", b"one more", TWO).version == DEFAULTS.checks_waiting + 1


def test_a_version_is_found_by_its_owner_and_names(arena: SmallArena) -> None:
    first, second = arena.submit("bot", b"1"), arena.submit("bot", b"2")
    assert bots.find(arena.db, arena.owner, "bot").id == second.id
    assert bots.find(arena.db, arena.owner, "bot", 1).id == first.id
    for owner, name, number in (("x", "bot", 0), (arena.owner, "b", 0), (arena.owner, "bot", 3)):
        with pytest.raises(NotFoundError):
            bots.find(arena.db, owner, name, number)
