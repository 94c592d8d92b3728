"""Positions in which greedy's choice has one reason."""

from __future__ import annotations

from typing import Any

import pytest

from bots.baselines.greedy.claim import beats, replies, stakes
from bots.baselines.greedy.main import Greedy
from bots.sdk import Hello, Turn

HELLO = {
    "match": "m",
    "game": "claim",
    "rules_version": 1,
    "options": {},
    "seats": 2,
    "seat": 0,
    "seed": "0" * 32,
    "limits": {},
}


def choice(legal: str, **view: Any) -> str | int:
    """What greedy plays from seat 0."""
    cards = legal.split()
    seen = {
        "phase": 1,
        "prize": "",
        "led": "",
        "hands": [cards, []],
        "hand_sizes": [len(cards), len(cards)],
        "followers": [[], []],
        "scored": [[], []],
        "discarded": [],
        **view,
    }
    message = {"turn": 0, "ply": 0, "view": seen, "legal": cards, "ids": [], "events": []}
    return Greedy(Hello(HELLO)).choose(Turn({**message, "clock": {}})).action


def test_a_good_prize_is_won_with_the_cheapest_winner() -> None:
    assert choice("G5 G7 G9", led="G4", prize="K9") == "G5"


def test_a_poor_prize_is_left_with_the_lowest_card() -> None:
    assert choice("D1 D7 D9", led="D4", prize="G0") == "D1"


def test_an_undead_on_the_table_is_worth_winning() -> None:
    scored = [["U0", "U1", "U2", "U3"], ["U4", "U6", "U7", "U8"]]
    assert choice("X1 X7", led="U5", prize="D4", scored=scored) == "X7"


def test_in_phase_2_a_dwarf_led_is_left_to_the_one_who_wins() -> None:
    assert choice("D4 D9", phase=2, led="D8") == "D4"


def test_in_phase_2_a_decided_faction_is_not_fought_for() -> None:
    knights = [f"K{value}" for value in range(3, 9)]
    assert choice("G4 K2", phase=2, led="X9", scored=[knights, []]) == "K2"


@pytest.mark.parametrize(
    ("reply", "led", "wins"),
    [
        ("U7", "U4", True),
        ("K2", "G9", True),
        ("G9", "K2", False),
        ("G0", "G0", False),
        ("X5", "D5", False),
        ("X6", "D5", True),
        ("K9", "X3", False),
        ("X2", "G6", False),
        ("D9", "U0", False),
    ],
)
def test_who_wins_a_trick(reply: str, led: str, wins: bool) -> None:
    assert beats(reply, led) is wins


def test_who_holds_the_led_faction_follows_it_or_plays_a_doppelganger() -> None:
    assert replies(["G0", "K9", "X3", "U1"], "G5") == ["G0", "X3"]
    assert replies(["K9", "X3", "U1"], "G5") == ["K9", "X3", "U1"]


def test_a_decided_faction_has_no_stake() -> None:
    worth = stakes(mine=["K2", "K3", "K4"], theirs=[], left=["K5", "K6", "D1"])
    assert worth["K"] == 0.0
    assert worth["D"] > 0.0
