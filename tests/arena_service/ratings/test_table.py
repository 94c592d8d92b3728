"""The order of a table before and after its first ratings."""

from __future__ import annotations

from arena_service.ratings.table import Named, ranked, standing_row
from arena_service.ratings.tallies import Tally


def test_who_has_no_whole_pair_stands_last() -> None:
    played = {"winner": Tally(before={1.0: 1}), "idle": Tally(), "loser": Tally(before={0.0: 1})}
    rows = [
        standing_row(Named(bot, "ada", bot, 1), tally, None, 0) for bot, tally in played.items()
    ]
    assert [row.bot for row in ranked(rows)] == ["winner", "loser", "idle"]
