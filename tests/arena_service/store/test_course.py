"""A tournament on its way: paused, resumed, extended; entrants withdrawn and disqualified."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.doctor.events import check_events, check_pairs, check_series
from arena_service.doctor.ratings import check_ratings
from arena_service.doctor.report import Proof
from arena_service.doctor.rounds import check_rounds
from arena_service.doctor.seeds import check_seeds
from arena_service.formats.scoring import points
from arena_service.scheduling import departures, slots
from arena_service.scheduling import tournaments as schedule
from arena_service.store import bounds, queries
from arena_service.store.courses import course
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.progress import event_progress
from arena_service.store.rounds import field_of, history
from arena_service.store.settings import Settings
from arena_service.store.standings import tournament_standings
from arena_service.store.tables import (
    Annulment,
    Bot,
    BotVersion,
    Event,
    Match,
    Pair,
    Round,
    Tournament,
)
from tests.arena_service.store.arena import NOON, outcome, play
from tests.arena_service.store.cup import LATER, Cup


def is_sound(db: Database) -> None:
    """What a doctor says of schedule, seeds and ratings."""
    proof = Proof("all", "")
    with db.snapshot() as session:
        for check in (
            check_events,
            check_series,
            check_pairs,
            check_rounds,
            check_ratings,
            check_seeds,
        ):
            check(session, proof)
    assert not proof.problems, proof.problems


def bot_of(db: Database, name: str) -> str:
    """The id of a bot."""
    with db.read() as session:
        return session.scalars(select(col(Bot.id)).where(col(Bot.name) == name)).one()


def scores(cup: Cup) -> dict[str, float]:
    """Points by bot, from everything that is known."""
    with cup.db.read() as session:
        event = session.scalars(select(Event).where(col(Event.tournament) == cup.id)).one()
        tournament = session.get_one(Tournament, cup.id)
        got = points(field_of(session, event, tournament), history(session, event.id))
        return {
            session.get_one(Bot, session.get_one(BotVersion, version).bot).name: value
            for version, value in got.items()
        }


def test_nothing_of_a_paused_tournament_is_leased(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=1)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    assert schedule.pause(database, cup.id).state == "paused"
    assert work.lease("w", now=LATER) is None
    assert queries.waiting_series(database, LATER) == 0
    play(work, held, LATER)
    with pytest.raises(ConflictError, match="is not running: it is paused"):
        schedule.pause(database, cup.id)
    assert schedule.resume(database, cup.id).state == "running"
    assert queries.waiting_series(database, LATER) == 2
    with pytest.raises(ConflictError, match="is not paused: it is running"):
        schedule.resume(database, cup.id)
    cup.play()
    assert cup.show().state == "complete"
    for change in (schedule.pause, schedule.resume):
        with pytest.raises(ConflictError, match="complete"):
            change(database, cup.id)
    is_sound(database)


def test_a_lease_that_ends_in_a_pause_waits_for_its_end(database: Database) -> None:
    cup = Cup(database, entries=2, pairs=1)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    schedule.pause(database, cup.id)
    work.fail(held.series, held.fence, "worker", "stopped", now=NOON)
    later = LATER + timedelta(days=1)
    slots.tick(database, later)
    assert work.lease("w", now=later) is None
    schedule.resume(database, cup.id)
    assert work.lease("w", now=later) is not None


def test_in_a_pause_no_round_is_planned(database: Database) -> None:
    cup = Cup(database, entries=4, pairs=1, format="swiss", settings=Settings(rounds=2))
    cup.start()
    work = cup.arena.work()
    held = [work.lease("w", now=NOON) for _ in range(2)]
    schedule.pause(database, cup.id)
    for lease in held:
        assert lease is not None
        play(work, lease, LATER)
    slots.tick(database, LATER)
    with database.read() as session:
        assert len(session.scalars(select(Round)).all()) == 1
    schedule.resume(database, cup.id)
    cup.play_to_the_end()
    assert cup.show().state == "complete"
    is_sound(database)


def test_a_paused_tournament_is_cancelled(database: Database) -> None:
    cup = Cup(database, entries=3)
    cup.start()
    schedule.pause(database, cup.id)
    assert cup.cancel().state == "cancelled"
    is_sound(database)


def test_a_round_robin_is_extended_by_pairs(database: Database) -> None:
    cup = Cup(database, entries=4, pairs=2)
    cup.start()
    departures.withdraw(database, cup.id, bot_of(database, "bot-3"), cup.arena.owner, NOON)
    extended = schedule.extend(database, cup.id, NOON, pairs=9, rounds=0)
    assert extended.state == "running"
    with database.read() as session:
        pairs = list(session.scalars(select(Pair).order_by(col(Pair.number))))
        assert [pair.number for pair in pairs] == list(range(6 * 2 + 3 * 9))
        assert [pair.round for pair in pairs] == [1] * 12 + [2] * 27
    cup.play()
    assert cup.show().state == "complete"
    rows = {row.bot: row.pairs for row in tournament_standings(database, cup.id)}
    assert rows == {"bot-0": 22, "bot-1": 22, "bot-2": 22, "bot-3": 0}
    with pytest.raises(ConflictError, match="it is complete"):
        schedule.extend(database, cup.id, LATER, pairs=1, rounds=0)
    is_sound(database)


def test_a_swiss_tournament_is_extended_by_rounds(database: Database) -> None:
    cup = Cup(database, entries=6, pairs=1, format="swiss", settings=Settings(rounds=1))
    cup.start()
    assert schedule.extend(database, cup.id, NOON, pairs=0, rounds=2).rounds == 3
    assert cup.play_to_the_end() == 3
    is_sound(database)


def test_what_cannot_be_extended_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(database, entries=3, pairs=1)
    with pytest.raises(ConflictError, match="it is open"):
        schedule.extend(database, cup.id, NOON, pairs=1, rounds=0)
    cup.start()
    for pairs, rounds, field in ((0, 0, "pairs"), (1001, 0, "pairs"), (0, 1, "pairs")):
        with pytest.raises(InvalidError, match=field):
            schedule.extend(database, cup.id, NOON, pairs=pairs, rounds=rounds)
    with pytest.raises(InvalidError, match="rounds: expected none"):
        schedule.extend(database, cup.id, NOON, pairs=1, rounds=1)
    monkeypatch.setattr(bounds, "MAX_PAIRS_PLANNED", 5)
    with pytest.raises(ConflictError, match="at most 5 pairs"):
        schedule.extend(database, cup.id, NOON, pairs=1, rounds=0)
    assert cup.show().rounds == 1


def test_who_withdraws_keeps_what_was_played(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=1)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    play(work, held, NOON)
    with database.read() as session:
        leaver = session.get_one(BotVersion, held.matches[0].players[0]).bot
    departures.withdraw(database, cup.id, leaver, cup.arena.owner, LATER, "it is broken")
    rest = work.lease("w", now=LATER)
    assert rest is not None
    assert held.matches[0].players[0] not in rest.matches[0].players
    assert work.lease("w", now=LATER) is None
    with pytest.raises(ConflictError, match="not any more"):
        departures.withdraw(database, cup.id, leaver, cup.arena.owner, LATER)
    play(work, rest, LATER)
    slots.tick(database, LATER)
    assert cup.show().state == "complete"
    assert sorted(row.pairs for row in tournament_standings(database, cup.id)) == [1, 1, 2]
    seen = event_progress(database, cup.show().event)
    assert (seen.matches_planned, seen.matches_done) == (6, 4)
    is_sound(database)


def test_of_a_disqualified_bot_nothing_counts_for_anybody(database: Database) -> None:
    cup = Cup(database, entries=3, pairs=2)
    cup.start()
    work = cup.arena.work()
    held = work.lease("w", now=NOON)
    assert held is not None
    for match in held.matches[:3]:
        assert work.accept(held.series, held.fence, outcome(match), now=NOON)
    with database.read() as session:
        cheat = session.get_one(BotVersion, held.matches[0].players[0]).bot
    with pytest.raises(InvalidError, match="reason"):
        departures.disqualify(database, cup.id, cheat, cup.arena.owner, LATER, " ")
    departures.withdraw(database, cup.id, cheat, cup.arena.owner, LATER)
    departures.disqualify(database, cup.id, cheat, cup.arena.owner, LATER, "it phoned home")
    late = outcome(held.matches[3])
    assert not work.accept(held.series, held.fence, late, now=LATER)
    with database.read() as session:
        annulled = {row.match: row.reason for row in session.scalars(select(Annulment))}
    assert annulled == {match.match_id: "it phoned home" for match in held.matches[:3]}
    cup.play()
    rows = {row.version_id: row for row in tournament_standings(database, cup.id)}
    gone = rows.pop(held.matches[0].players[0])
    assert (gone.pairs, gone.rating) == (0, None)
    assert all(row.pairs == 2 and row.rating is not None for row in rows.values())
    with pytest.raises(ConflictError, match="it is complete"):
        departures.disqualify(database, cup.id, cheat, cup.arena.owner, LATER, "again")
    is_sound(database)


@pytest.mark.parametrize("disqualified", [False, True])
def test_a_swiss_tournament_goes_on_without_those_who_left(
    database: Database, disqualified: bool
) -> None:
    cup = Cup(database, entries=6, pairs=1, format="swiss", settings=Settings(rounds=3))
    cup.start()
    cup.play()
    work = cup.arena.work()
    held = work.lease("w", now=LATER)
    assert held is not None
    leaver, rival = held.matches[0].players
    with database.read() as session:
        bot = session.get_one(BotVersion, leaver).bot
    before = scores(cup)
    if disqualified:
        departures.disqualify(database, cup.id, bot, cup.arena.owner, LATER, "cheats")
    else:
        departures.withdraw(database, cup.id, bot, cup.arena.owner, LATER)
    cup.play_to_the_end()
    with database.read() as session:
        third = session.get_one(Round, (cup.show().event, 3))
        assert len(third.byes) == 1
        assert leaver not in third.byes
        paired = select(col(Match.id)).where(col(Match.state) == "cancelled")
        assert len(session.scalars(paired).all()) == 2
        names = {row.version_id: row.bot for row in tournament_standings(database, cup.id)}
    after = scores(cup)
    assert after[names[leaver]] == (0.0 if disqualified else before[names[leaver]])
    assert after[names[rival]] >= 1.0
    is_sound(database)


@pytest.mark.parametrize("format", ["double_elimination", "swiss"])
def test_who_is_disqualified_is_last_before_the_round_ends(database: Database, format: str) -> None:
    cup = Cup(database, entries=4, pairs=1, format=format)
    cup.start()
    first = course(database, cup.id).table[0].entrant
    cheat = bot_of(database, first.bot)
    departures.disqualify(database, cup.id, cheat, cup.arena.owner, LATER, "it phoned home")
    *_, last = course(database, cup.id).table
    assert last.entrant.version_id == first.version_id
    assert last.rank == 4


@pytest.mark.parametrize("leave", [departures.withdraw, departures.disqualify])
def test_a_reason_is_plain_text(database: Database, leave: Callable[..., object]) -> None:
    cup = Cup(database, entries=2, pairs=1)
    for reason in ("evil\x1b[31m", "two\nlines", "\u202eback", "x" * 501):
        with pytest.raises(InvalidError, match="reason: expected at most 500 printable"):
            leave(database, cup.id, "any", cup.arena.owner, LATER, reason)
