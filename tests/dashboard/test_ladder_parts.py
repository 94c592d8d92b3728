"""What the page of a ladder says of strength and of who met whom in a slot."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena_service.formats import match_making
from arena_service.store import bot_pages, pairings, queries, strengths
from arena_service.store.database import Database
from arena_service.store.ledger import Scope
from dashboard.views import pairings as groups
from dashboard.views import strength
from tests.arena_service.store.arena import SmallArena, play_all

HOUR = timedelta(hours=1)


def test_a_slot_tells_who_met_and_what_was_known(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_making, "MAX_PAIRS_OF_A_SLOT", 3)
    arena = SmallArena(database, entries=8, pairs=1)
    for number in (1, 2):
        arena.close(arena.due + (number - 1) * HOUR)
        play_all(arena, arena.due + (number - 1) * HOUR)
    arena.close(arena.due + HOUR)
    assert "The entries are still open." in groups.show(
        3, pairings.of_slot(database, arena.ladder, 3)
    )
    first, second = (
        groups.show(number, pairings.of_slot(database, arena.ladder, number)) for number in (1, 2)
    )
    assert "bot-0: 0 opponents so far" in first + second
    assert "waited" not in first.split("<tbody>")[1].split("</tbody>")[0]
    assert ": waited 1 slot, bot-" in second
    assert first.count("<tr>") == 3 + 1
    assert "nan" not in first + second


def test_strength_counts_all_slots(database: Database) -> None:
    arena = SmallArena(database, entries=3)
    arena.close()
    play_all(arena, arena.due)
    arena.close()
    rows = queries.standings(database, arena.ladder).rows
    order = [row.version_id for row in rows]
    found = strengths.compare(database, Scope(ladder=arena.ladder), order)
    page = strength.show(rows, found, bot_pages.bot_ids(database, order))
    assert page.count("ix-rank") == 3
    assert "Ahead of the next" in page
