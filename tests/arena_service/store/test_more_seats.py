"""Matches of three and four seats, on both databases."""

from __future__ import annotations

import pytest

from arena_service.store import queries
from arena_service.store.database import Database
from tests.arena_service.store.arena import SmallArena, lease, outcome, play, play_all


@pytest.mark.parametrize("seats", [3, 4])
def test_matches_of_more_seats(database: Database, seats: int) -> None:
    arena = SmallArena(database, seats=seats, entries=seats + 1)
    arena.close()
    found = lease(arena)
    assert len(found.matches) == 2 * seats
    legs = [match.players for match in found.matches if match.pair == found.matches[0].pair]
    for seat in range(seats):
        assert len({players[seat] for players in legs}) == seats
    play(arena.work(), found, arena.due)
    play_all(arena, arena.due)
    first = queries.match_detail(database, found.matches[0].match_id)
    credits = [player.credit for player in first.match.players]
    assert credits == pytest.approx([1 - seat / (seats - 1) for seat in range(seats)])


def test_a_partner_is_no_opponent(database: Database) -> None:
    arena = SmallArena(database, seats=4, entries=5)
    arena.close()
    found = lease(arena)
    post = outcome(found.matches[0], [2, 1, 2, 1])
    post.replay["teams"] = [0, 1, 0, 1]
    assert arena.work().accept(found.series, found.fence, post, now=arena.due)
    players = queries.match_detail(database, found.matches[0].match_id).match.players
    assert [player.credit for player in players] == [0.0, 1.0, 0.0, 1.0]
