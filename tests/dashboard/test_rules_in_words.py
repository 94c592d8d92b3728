"""What is played, in words: options as they are typed, partners together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_service.store.match_rows import MatchRow
from arena_service.store.queries import MatchDetail
from dashboard.views.rules import game, line_up, title

NAMES = ["a", "b", "c", "d"]
MATCH = MatchRow(
    "m", "e", 0, 0, "rated", "king_is_dead", "finished", "completed", None, (), 9, None
)
DETAIL = MatchDetail(MATCH, 1, {}, 4, "", None, True, None, ())


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("claim", {}, "Claim"),
        ("claim", {"blind_peek": True}, "Claim (blind_peek=true)"),
        (
            "king_is_dead",
            {"variant": "cunning", "plot_breaks_ties": False},
            "The King Is Dead (variant=cunning, plot_breaks_ties=false)",
        ),
        ("hidden_leaders_duel", {}, "Hidden Leaders: Duel"),
        ("chess", {"clock": 3}, "chess (clock=3)"),
    ],
)
def test_a_game_is_called_with_its_options(name: str, options: dict, said: str) -> None:
    assert game(name, options) == said


def test_every_game_has_a_title_and_one_that_is_gone_its_name() -> None:
    assert title("king_is_dead") == "The King Is Dead"
    assert title("chess") == "chess"


def test_partners_stand_together() -> None:
    assert line_up(DETAIL, NAMES) == "a and c against b and d"


def test_without_partners_everybody_stands_alone() -> None:
    assert line_up(replace(DETAIL, seats=3), NAMES[:3]) == "a against b against c"
    gone = replace(DETAIL, match=replace(MATCH, game="chess"), seats=2)
    assert line_up(gone, NAMES[:2]) == "a against b"
