"""Positions of Hidden Leaders: Duel in which greedy's choice has one reason."""

from __future__ import annotations

import pytest

from bots.baselines.greedy.hidden_leaders_duel import Faction, Policy, Rival, brings, chances
from bots.sdk import Answer, Hello, Turn
from engine_service.catalogue import game
from engine_service.games.hidden_leaders_duel.heroes import DECK
from engine_service.games.hidden_leaders_duel.state import LEADERS
from tests.bots.asked import Setting

DUEL = Setting(game("hidden_leaders_duel"), {}, 2)
WEAK = Rival(influence=1.0, variance=0.0, presence=1.0)


def choice(step: str, legal: list[str], rows: str, hand: str, rival: str = "") -> str | int:
    """What greedy does from seat 0 in the last turn; `rows` has a look for each slot.

    Its leader is of R and G, its Council holds R2.
    """
    view = {
        "step": step,
        "turn": 13,
        "slots": [slot(look.strip("-")) for look in rows.split()],
        "hands": [hand.split(), []],
        "councils": [["R2"], rival.split()],
        "leaders": ["RG", ""],
        "deck": list(DECK),
        "leader_cards": [{"factions": [*card.factions], "value": card.value} for card in LEADERS],
    }
    message = {"turn": 0, "ply": 0, "view": view, "legal": legal, "ids": [], "events": []}
    answer = Policy(Hello(DUEL.hello(0))).choose(Turn({**message, "clock": {}}))
    assert isinstance(answer, Answer)
    return answer.action


def slot(hero: str) -> dict[str, object]:
    """A free slot."""
    return {"hero": hero, "face_up": True, "blocker": "", "blocked_by": -1}


def faction(own: tuple[int, float], other: tuple[int, float], influence: float = 4.0) -> Faction:
    """Heroes and strength by row; the seat is present, and so is the rival, with influence 1."""
    return Faction((own[0], other[0]), (own[1], other[1]), influence, True, WEAK)


def test_the_council_is_joined_for_a_faction_that_lies_in_the_rows() -> None:
    rows = "B6 B5 B4 K1 K2 G1 G2 K3 K4 G3 G4 R6 R7 B1"
    assert choice("play", ["play B7 block 3", "play B7 council"], rows, "B7") == "play B7 council"


def test_the_row_that_will_be_given_gets_the_hero_where_the_lead_is_certain() -> None:
    legal = ["play R7 council", "play R7 block 9", "play R7 block 0"]
    rows = "K1 K2 K3 B1 B2 R5 R6 K4 K5 B3 B4 B5 R3 R4"
    assert choice("play", legal, rows, "R7") == "play R7 block 0"


def test_the_strong_hero_is_returned_to_the_row_that_will_be_given() -> None:
    legal = ["return K1@0 R7@7", "return R7@0 K1@7"]
    rows = "- K2 K3 B1 B2 R5 R6 - K5 B3 B4 B5 K6 R4"
    assert choice("return", legal, rows, "B6 K1 R7") == "return R7@0 K1@7"


def test_a_hero_is_taken_that_can_lie_better() -> None:
    legal = ["take 0 1", "take 0 13"]
    rows = "K1 K2 K3 K4 K5 R5 R6 B1 B2 B3 B4 B5 B6 R7"
    assert choice("take", legal, rows, "G1") == "take 0 13"


def test_the_leading_seat_is_given_the_row_with_more_heroes() -> None:
    assert brings(faction((1, 7.0), (2, 3.0)), 0) == pytest.approx(3.0 - 7.0)
    assert brings(faction((2, 3.0), (1, 7.0)), 0) == pytest.approx(3.0 - 7.0)
    assert brings(faction((1, 7.0), (2, 3.0), influence=0.0), 0) == pytest.approx(7.0 - 3.0)


def test_a_tie_leaves_each_seat_its_own_row() -> None:
    assert brings(faction((1, 7.0), (1, 3.0)), 0) == pytest.approx(7.0 - 3.0)
    assert brings(faction((1, 7.0), (2, 3.0), influence=1.0), 0) == pytest.approx(7.0 - 3.0)


def test_who_is_not_present_keeps_nothing() -> None:
    absent = Faction((2, 9.0), (2, 5.0), 0.0, False, WEAK)
    assert brings(absent, 0) == pytest.approx(-5.0)
    assert brings(absent._replace(rival=Rival(0.0, 0.0, 0.0)), 0) == 0.0


def test_the_more_turns_are_left_the_less_is_certain() -> None:
    ahead = faction((2, 9.0), (1, 2.0))
    assert brings(ahead, 0) > brings(ahead, 6) > brings(ahead, 12) > 0.0


@pytest.mark.parametrize(("lead", "above", "below"), [(2, 1.0, 0.0), (0, 0.0, 0.0), (-1, 0.0, 1.0)])
def test_a_lead_without_spread_is_certain(lead: int, above: float, below: float) -> None:
    assert chances(lead, 0.0) == pytest.approx((above, below))
