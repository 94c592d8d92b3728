"""What is kept of a ladder gives the standings that counting everything gives."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlmodel import col

from arena_service.store import bot_pages, queries
from arena_service.store.database import Database
from arena_service.store.tables import (
    Annulment,
    Bot,
    BotVersion,
    Event,
    LadderTally,
    Ledger,
    Match,
    MatchSeat,
)
from tests.arena_service.store.arena import SmallArena, no_contest, outcome

HOUR = timedelta(hours=1)


def play_some(arena: SmallArena, hours: int, at_most: int = 1000) -> None:
    """Close a slot and play matches of every ending; complete it if all were played."""
    now, count = arena.due + hours * HOUR, 0
    arena.close(now)
    work = arena.work()
    while count < at_most and (lease := work.lease("w", now=now)) is not None:
        for match in lease.matches[: at_most - count]:
            count += 1
            ends = (
                outcome(match),
                outcome(match, ranks=[1, 1]),
                outcome(match, ending="timeout", at_fault=count % 2),
                outcome(match, ranks=[2, 1]),
                no_contest(match),
            )
            assert work.accept(lease.series, lease.fence, ends[count % 5], now=now)
    arena.close(now)


def rows(arena: SmallArena) -> object:
    return queries.standings(arena.db, arena.ladder).rows


def forget(arena: SmallArena) -> None:
    """Count all again."""
    with arena.db.write() as session:
        session.execute(delete(LadderTally))


def test_kept_and_counted_standings_are_the_same(database: Database) -> None:
    arena = SmallArena(database)
    for hours in range(3):
        play_some(arena, hours)
    play_some(arena, 3, at_most=5)
    with database.read() as session:
        assert session.scalar(select(col(LadderTally.event)).limit(1)) is not None
        complete = session.scalars(select(col(Event.completed_at)).order_by(col(Event.slot))).all()
        assert [at is not None for at in complete] == [True, True, True, False, False]
    kept = rows(arena)
    forget(arena)
    assert rows(arena) == kept


def test_an_annulled_result_is_counted_out_at_once(database: Database) -> None:
    arena = SmallArena(database)
    play_some(arena, 0)
    before = rows(arena)
    with database.write() as session:
        whole = select(col(Ledger.pair)).group_by(col(Ledger.pair)).having(func.count() == 2)
        of_whole = select(col(Ledger.match)).where(col(Ledger.pair).in_(whole))
        match = session.scalars(of_whole.limit(1)).one()
        later = arena.due + 2 * HOUR
        session.add(Annulment(match=match, by=arena.owner, reason="", created_at=later))
    assert rows(arena) != before
    without = rows(arena)
    forget(arena)
    assert rows(arena) == without


def test_the_record_of_a_version_is_the_sum_of_its_matches(database: Database) -> None:
    arena = SmallArena(database)
    play_some(arena, 0)
    with database.read() as session:
        seats = session.execute(
            select(col(MatchSeat.bot_version), col(Match.state)).join(
                Match, col(Match.id) == col(MatchSeat.match)
            )
        ).all()
        owner = session.scalars(select(col(Bot.owner)).limit(1)).one()
        faults = sum(session.scalars(select(col(BotVersion.faults))))
    records = [bot.versions[0].record for bot in bot_pages.bots_of(database, owner)]
    counted = sum(each.wins + each.draws + each.losses for each in records)
    no_contests = sum(1 for n in range(1, len(seats) // 2 + 1) if n % 5 == 4)
    assert counted == len(seats) - 2 * no_contests
    assert (
        faults
        == sum(each.faults for each in records)
        == sum(1 for n in range(1, len(seats) // 2 + 1) if n % 5 == 2)
    )
