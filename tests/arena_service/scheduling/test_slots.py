"""The life of a slot: due, closed, planned, played, completed."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from arena_service.scheduling import slots
from arena_service.scheduling.clock import next_due
from arena_service.store import ladders, queries
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.progress import event_progress
from arena_service.store.tables import (
    Annulment,
    Entrant,
    Event,
    Ladder,
    Ledger,
    Match,
    MatchSeat,
    Pair,
    Series,
)
from engine_service.core.seeds import bot_seed, deal_seed, entrants_digest
from tests.arena_service.store.arena import SmallArena, outcome, play_all

HOUR = timedelta(hours=1)


def states(arena: SmallArena) -> list[str]:
    return [each.state for each in queries.events(arena.db, arena.ladder)][::-1]


def test_nothing_happens_before_a_slot_is_due(database: Database) -> None:
    arena = SmallArena(database)
    arena.close(arena.due - timedelta(seconds=1))
    assert states(arena) == ["open"]
    assert queries.standings(database, arena.ladder).event is None


def test_a_due_slot_is_planned_whole_and_the_next_is_committed_to(database: Database) -> None:
    arena = SmallArena(database, pairs=10)
    announced = ladders.show(database, arena.ladder).commitment
    arena.close()
    assert states(arena) == ["running", "open"]
    shown = ladders.show(database, arena.ladder)
    assert (shown.slot, shown.next_due) == (2, arena.due + HOUR)
    assert shown.commitment != announced
    assert queries.standings(database, arena.ladder).pairs_planned == 30
    with database.read() as session:
        sizes = session.execute(
            select(func.count(col(Match.id))).group_by(col(Match.series)).order_by(func.count())
        )
        assert [size for (size,) in sizes] == [4, 4, 4, 16, 16, 16]
        assert len(session.scalars(select(Series)).all()) == 6


def test_seeds_follow_from_key_and_entrants_and_the_key_opens_the_commitment(
    database: Database,
) -> None:
    arena = SmallArena(database)
    announced = ladders.show(database, arena.ladder).commitment
    arena.close()
    closed = queries.events(database, arena.ladder)[1]
    assert closed.key is None
    play_all(arena, arena.due)
    arena.close(arena.due)
    complete = queries.events(database, arena.ladder)[1]
    key, digest = complete.key, complete.entrants_digest
    assert key is not None
    assert digest is not None
    assert hashlib.sha256(key).hexdigest() == announced
    with database.read() as session:
        entered = [(row.bot_id, row.sha256) for row in session.scalars(select(Entrant))]
        assert entrants_digest(entered) == digest
        for pair in session.scalars(select(Pair)):
            assert pair.seed == deal_seed(key, complete.id, digest, pair.number).hex()
        rows = session.execute(
            select(Match, MatchSeat, col(Pair.number))
            .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
            .join(Pair, col(Pair.id) == col(Match.pair))
        )
        for match, seat, number in rows:
            expected = bot_seed(key, complete.id, digest, number, match.leg, seat.seat)
            assert seat.bot_seed == expected


def test_a_played_slot_is_completed_and_rated_once(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    assert all(row.rating is None for row in queries.standings(database, arena.ladder).rows)
    play_all(arena, arena.due)
    for _ in range(3):
        arena.close(arena.due)
    assert states(arena) == ["complete", "open"]
    shown = queries.standings(database, arena.ladder)
    assert (shown.slot, shown.pairs_done, shown.pairs_planned) == (1, 6, 6)
    assert sum(row.rating or 0 for row in shown.rows) == pytest.approx(0, abs=1e-6)
    assert all(row.rating is not None and row.error for row in shown.rows)


def test_after_a_pause_there_is_one_catch_up_run(database: Database) -> None:
    arena = SmallArena(database)
    late = arena.due + timedelta(days=3, minutes=5)
    for _ in range(3):
        arena.close(late)
    assert states(arena) == ["running", "open"]
    assert ladders.show(database, arena.ladder).next_due == arena.due + timedelta(days=3, hours=1)


def test_a_slot_waits_for_the_one_before(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    arena.close(arena.due + 5 * HOUR)
    assert states(arena) == ["running", "open"]
    play_all(arena, arena.due + 5 * HOUR)
    arena.close(arena.due + 5 * HOUR)
    assert states(arena) == ["complete", "running", "open"]


def test_too_few_entrants_leave_the_entries_open(database: Database) -> None:
    arena = SmallArena(database, entries=1)
    arena.close()
    shown = ladders.show(database, arena.ladder)
    assert states(arena) == ["open"]
    assert (shown.slot, shown.next_due) == (1, arena.due + HOUR)
    with pytest.raises(ConflictError, match="at least 2"):
        ladders.run_now(database, arena.ladder)


def test_run_now_makes_the_slot_due(database: Database) -> None:
    arena = SmallArena(database)
    now = arena.due - timedelta(minutes=30)
    assert ladders.run_now(database, arena.ladder, now).next_due == now
    arena.close(now)
    assert states(arena) == ["running", "open"]
    assert ladders.show(database, arena.ladder).next_due == arena.due


def test_the_newest_versions_of_active_entries_play(database: Database) -> None:
    arena = SmallArena(database, entries=4)
    newer = arena.submit("bot-0", b"newer")
    gone = arena.submit("bot-1")
    ladders.leave(database, arena.ladder, gone.bot_id)
    arena.close()
    rows = queries.standings(database, arena.ladder).rows
    assert {(row.bot, row.version) for row in rows} == {("bot-0", 2), ("bot-2", 1), ("bot-3", 1)}
    assert newer.id in {row.version_id for row in rows}


def play_slot(arena: SmallArena, hours: int) -> None:
    now = arena.due + hours * HOUR
    arena.close(now)
    play_all(arena, now)
    arena.close(now)


def test_ratings_come_from_all_slots_under_the_same_rules(database: Database) -> None:
    arena = SmallArena(database)
    for hours in range(2):
        play_slot(arena, hours)
    rows = queries.standings(database, arena.ladder).rows
    assert [row.pairs for row in rows] == [8, 8, 8]
    with database.write() as session:
        for event in session.scalars(select(Event).where(col(Event.slot) <= 2)):
            event.rules_version = 0
    play_slot(arena, 2)
    rows = queries.standings(database, arena.ladder).rows
    assert [row.pairs for row in rows] == [4, 4, 4]


def test_standings_rank_by_strength_and_count_faults(database: Database) -> None:
    arena = SmallArena(database, pairs=4)
    arena.close()
    work, strongest = arena.work(), arena.versions[2]
    while (found := work.lease("w", now=arena.due)) is not None:
        for match in found.matches:
            order = sorted(match.players, key=arena.versions.index, reverse=True)
            ranks = [order.index(player) + 1 for player in match.players]
            fault = ranks.index(2)
            ended = {"ending": "timeout", "at_fault": fault} if 2 in ranks else {}
            post = outcome(match, ranks, **ended)
            assert work.accept(found.series, found.fence, post, now=arena.due)
    arena.close(arena.due)
    rows = queries.standings(database, arena.ladder).rows
    assert [row.rank for row in rows] == [1, 2, 3]
    assert rows[0].version_id == strongest
    assert [row.wins for row in rows] == [16, 8, 0]
    assert [row.faults for row in rows] == [0, 8, 16]
    assert [row.credit for row in rows] == [1.0, 0.5, 0.0]
    assert all(0 <= row.credit_low <= row.credit <= row.credit_high <= 1 for row in rows)


def test_a_shown_match_tells_its_state(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    found = arena.work().lease("w", now=arena.due)
    assert found is not None
    played = found.matches[0]
    assert arena.work().progress(found.series, found.fence, {found.matches[1].match_id: 7})
    assert arena.work().accept(found.series, found.fence, outcome(played), now=arena.due)
    rows = search(database, MatchSearch(arena.ladder), 100)
    assert len(rows) == 12
    assert sorted({row.state for row in rows}) == ["finished", "running", "waiting"]
    assert search(database, MatchSearch(arena.ladder), 5, 10) == rows[10:]
    event = queries.standings(database, arena.ladder).event
    assert event is not None
    seen = event_progress(database, event)
    assert (seen.matches_done, seen.matches_planned, seen.matches_running) == (1, 12, 1)


def test_the_schedule_follows_its_time_zone() -> None:
    winter = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
    first = next_due("30 9 * * *", "Europe/Berlin", winter)
    second = next_due("30 9 * * *", "Europe/Berlin", first)
    assert first == datetime(2026, 3, 29, 7, 30, tzinfo=UTC)
    assert second - first == timedelta(days=1)
    assert next_due("30 9 * * *", "Europe/Berlin", winter - timedelta(days=1)).hour == 8


def test_the_hour_that_comes_twice_runs_once() -> None:
    before = datetime(2026, 10, 24, 20, 0, tzinfo=UTC)
    first = next_due("30 2 * * *", "Europe/Berlin", before)
    assert next_due("30 2 * * *", "Europe/Berlin", first) - first > timedelta(hours=23)


@pytest.mark.parametrize("cron", ["", "* * * *", "* * * * * *", "@daily", "x * * * *", "0 " * 99])
def test_a_schedule_has_exactly_five_fields(cron: str) -> None:
    with pytest.raises(InvalidError, match="cron"):
        next_due(cron, "UTC", datetime(2026, 1, 1, tzinfo=UTC))


def test_a_tick_without_ladders_does_nothing(database: Database) -> None:
    slots.tick(database, datetime(2026, 1, 1, tzinfo=UTC))


def test_a_broken_ladder_does_not_hold_up_the_others(database: Database) -> None:
    broken, sound = SmallArena(database), SmallArena(database, seats=3)
    with database.write() as session:
        session.get_one(Ladder, broken.ladder).timezone = "Mars/Olympus"
    sound.close()
    assert states(broken) == ["open"]
    assert states(sound) == ["running", "open"]


def test_the_longest_due_ladder_is_first_and_a_busy_one_not_in_the_way(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "AT_ONCE", 1)
    busy, broken, older, newer = (SmallArena(database, name=name) for name in "abcd")
    busy.close()
    assert states(busy) == ["running", "open"]
    late = busy.due + 9 * HOUR
    with database.write() as session:
        session.get_one(Ladder, broken.ladder).timezone = "Mars/Olympus"
        session.get_one(Ladder, newer.ladder).next_due = late - HOUR
    slots.tick(database, late)
    assert [states(each)[0] for each in (busy, older, newer)] == ["running", "running", "open"]
    slots.tick(database, late)
    assert states(newer) == ["running", "open"]


def test_an_event_that_cannot_be_completed_is_told_and_holds_up_no_other(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = SmallArena(database), SmallArena(database, seats=3)
    for arena in (broken, sound):
        arena.close()
    play_all(sound, sound.due)
    event = queries.events(database, broken.ladder)[1].id
    with database.write() as session:
        row = session.scalars(select(Ledger).where(col(Ledger.event) == event).limit(1)).one()
        row.credits = [1.0]
    slots.tick(database, sound.due)
    assert [states(broken)[0], states(sound)[0]] == ["running", "complete"]
    assert event in caplog.text
    assert "Traceback" in caplog.text


def test_an_annulled_result_takes_its_pair_out_of_the_standings(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    play_all(arena, arena.due)
    assert sum(row.pairs for row in queries.standings(database, arena.ladder).rows) == 12
    match = search(database, MatchSearch(arena.ladder), 1)[0].id
    with database.write() as session:
        session.add(Annulment(match=match, by=arena.owner, reason="the engine was wrong"))
    assert sum(row.pairs for row in queries.standings(database, arena.ladder).rows) == 10
