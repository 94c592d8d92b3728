"""A new version of the rules opens a new rating period: results of both are never mixed."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select
from sqlmodel import col

from arena_service.ratings.fit import fit
from arena_service.store.database import Database
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.standings import standings
from arena_service.store.tables import Event, Ladder, Rating
from tests.arena_service.store.arena import SmallArena, outcome

HOUR = timedelta(hours=1)


def play_slot(arena: SmallArena, hours: int, best_first: bool) -> None:
    """A slot in which the version that was entered first wins, or loses, everything."""
    now, work = arena.due + hours * HOUR, arena.work()
    arena.close(now)
    while (found := work.lease("w", now=now)) is not None:
        for match in found.matches:
            places = [arena.versions.index(player) for player in match.players]
            ranks = [1 if (place == min(places)) == best_first else 2 for place in places]
            assert work.accept(found.series, found.fence, outcome(match, ranks), now=now)
    arena.close(now)


def test_new_rules_begin_from_zero_and_old_ratings_stay(database: Database) -> None:
    arena = SmallArena(database, entries=2)
    play_slot(arena, 0, best_first=True)
    play_slot(arena, 1, best_first=True)
    with database.write() as session:
        session.get_one(Ladder, arena.ladder).rules_version = 2
    play_slot(arena, 2, best_first=False)
    with database.read() as session:
        by_slot = {
            slot: {
                row.bot_version: row.value
                for row in session.scalars(select(Rating).where(col(Rating.event) == event))
            }
            for event, slot in session.execute(
                select(col(Event.id), col(Event.slot)).where(col(Event.state) == "complete")
            )
        }
        alone = fit(rated_rows(session, Scope(ladder=arena.ladder), 2))
    first, other = arena.versions
    assert by_slot[1][first] > 0 > by_slot[1][other]
    assert by_slot[2][first] > by_slot[1][first]
    assert by_slot[3] == {version: rating.value for version, rating in alone.items()}
    assert by_slot[3][first] < 0 < by_slot[3][other]
    rows = {row.version_id: row for row in standings(database, arena.ladder).rows}
    assert [rows[first].pairs, rows[other].pairs] == [2, 2]
    assert rows[first].rating == by_slot[3][first]
