"""The deal, options, notation, and what is refused as a deal, state or view of The King Is Dead."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine_service.core.errors import OptionError, RulesError
from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import Options
from tests.engine_service.games.king_tables import play

CUNNING = Options("cunning")
Wrong = Callable[[dict[str, Any]], Any]


def test_the_deal_of_the_seed_of_zeros() -> None:
    deal = GAME.deal_to_plain(GAME.deal(bytes(32), CUNNING, 2))
    assert deal["first"] == 0
    assert deal["courts"] == [["W", "S"], ["S", "S"]]
    assert deal["regions"]["moray"] == ["S", "S", "W", "W"]
    assert deal["regions"]["devon"] == ["W", "E", "S", "S"]
    row = "northumbria devon essex strathclyde warwick lancaster gwynedd moray"
    assert deal["row"] == row.split()
    hands = [["plot", "suppress", "influence"], ["ambush", "quell", "resist"]]
    assert deal["cunning"] == hands


def test_the_map() -> None:
    assert len(b.BORDERS) == 13
    assert [len(neighbours) for neighbours in b.NEIGHBOURS] == [1, 3, 4, 4, 3, 5, 3, 3]
    assert {b.REGIONS[home]: faction for faction, home in b.HOME.items()} == {
        "moray": "S",
        "gwynedd": "W",
        "essex": "E",
    }


def test_the_cards() -> None:
    assert [len(cards) for cards in c.KNOWN_SETS.values()] == [c.HAND, c.HAND - c.SECRETS]
    assert len(c.CUNNING) == 12
    assert len(c.CARDS) == len(set(c.CARDS)) == 19


def test_every_action_has_one_notation() -> None:
    assert len(a.NAMES) == len(set(a.NAMES)) == len(a.ACTIONS)
    for action, text in enumerate(a.NAMES):
        assert GAME.parse(text) == action
        assert GAME.notation(action) == text
        assert text == " ".join(text.split())
    for action in (-1, len(a.NAMES)):
        with pytest.raises(RulesError, match="no action"):
            GAME.notation(action)


def test_no_two_actions_with_regions_in_another_order() -> None:
    """One for one, Manoeuvre has no first side: the alphabet decides."""
    state = play(GAME.deal(bytes(32), Options(), 2), "play manoeuvre")
    for text in map(GAME.notation, GAME.legal_actions(state)):
        _, _, first, _, second = text.split()
        assert first < second


def test_options_hold_what_differs() -> None:
    assert GAME.parse_options({}).to_plain() == {}
    assert GAME.parse_options({"variant": "basic", "plot_breaks_ties": True}).to_plain() == {}
    other = {"variant": "cunning", "plot_breaks_ties": False}
    assert GAME.parse_options(other).to_plain() == other


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"plot": 1}, "option 'plot': expected one of variant, plot_breaks_ties"),
        ({"variant": "advanced"}, "option 'variant': expected basic or cunning"),
        ({"variant": ["basic"]}, "option 'variant': expected basic or cunning"),
        ({"plot_breaks_ties": 0}, "option 'plot_breaks_ties': expected true or false"),
        ([], "option 'options': expected an object"),
    ],
)
def test_a_wrong_option_is_named(raw: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.parse_options(raw)
    assert str(caught.value) == message


def with_value(value: Any, *path: Any) -> Wrong:
    """Replaces what stands at the path."""

    def change(plain: dict[str, Any]) -> Any:
        wrong: Any = copy.deepcopy(plain)
        *way, last = path
        at = wrong
        for key in way:
            at = at[key]
        at[last] = value
        return wrong

    return change


WRONG_DEALS: list[tuple[str, Wrong]] = [
    ("a deal has", lambda deal: None),
    ("a deal has", lambda deal: {key: deal[key] for key in deal if key != "cunning"}),
    ("a deal has", with_value(1, "more")),
    ("seat 0 begins", with_value(1, "first")),
    ("seat 0 begins", with_value(False, "first")),
    ("courts: expected 2", with_value([["S", "S"]], "courts")),
    ("list of 2 followers", with_value(["S"], "courts", 0)),
    ("list of 2 followers", with_value(["S", "X"], "courts", 0)),
    ("list of 4 followers", with_value("SSWW", "regions", "devon")),
    ("list of 4 followers", with_value([["S"]] * 4, "regions", "devon")),
    ("regions: expected moray", with_value({}, "regions")),
    ("moray starts with 2", with_value(["S", "W", "S", "W"], "regions", "moray")),
    ("row: expected each", with_value("moray", "row", 0)),
    ("row: expected each", with_value(None, "row")),
    ("at most 16 followers", lambda deal: crowded(deal)),
    ("cunning: expected 2", with_value([[]], "cunning")),
    ("cunning: expected 3", with_value(["spy"], "cunning", 0)),
    ("at most once", with_value("ambush", "cunning", 0, 0)),
    ("at most once", with_value("assemble", "cunning", 0, 0)),
]


def crowded(deal: dict[str, Any]) -> dict[str, Any]:
    """17 Scots."""
    others = ("strathclyde", "lancaster", "northumbria", "warwick")
    filled = {"moray": ["S", "S", "W", "W"], "gwynedd": ["W"] * 4, "essex": ["E"] * 4}
    filled |= {name: ["S"] * 4 for name in others[:3]}
    return deal | {
        "courts": [["S", "S"], ["S", "W"]],
        "regions": deal["regions"] | filled | {"warwick": ["W"] * 4, "devon": ["E"] * 4},
    }


@pytest.mark.parametrize(("message", "wrong"), WRONG_DEALS)
def test_a_wrong_deal_is_refused(message: str, wrong: Wrong) -> None:
    deal = GAME.deal_to_plain(GAME.deal(bytes(32), CUNNING, 2))
    assert GAME.deal_to_plain(GAME.deal_from_plain(deal, CUNNING, 2)) == deal
    with pytest.raises(RulesError, match=message):
        GAME.deal_from_plain(wrong(deal), CUNNING, 2)


def wrong_plays() -> Iterator[tuple[str, list[Any]]]:
    yield "no action reads", ["play chess"]
    yield "ply 0: summon moray S is not possible", ["summon moray S"]
    yield "ply 8: pass is not possible", ["pass"] * 9  # the third unstable region
    yield "no match has more", ["pass"] * 3000
    yield "seat 0 cannot hold and have played", ["play ambush", "place SS moray return S"]
    yield "seat 0 cannot hold and have played", ["play support-s", "place SS strathclyde"]


@pytest.mark.parametrize(("message", "plays"), list(wrong_plays()))
def test_a_state_with_an_impossible_play_is_refused(message: str, plays: list[Any]) -> None:
    plain = GAME.state_to_plain(GAME.deal(bytes(32), CUNNING, 2))
    with pytest.raises(RulesError, match=message):
        GAME.state_from_plain(plain | {"plays": plays})


def test_what_is_no_state_is_refused() -> None:
    plain = GAME.state_to_plain(GAME.deal(bytes(32), CUNNING, 2))
    for wrong in ({"plays": []}, plain | {"plays": 1}, plain | {"plays": [[]]}):
        with pytest.raises(RulesError):
            GAME.state_from_plain(wrong)


WRONG_VIEWS: list[tuple[str, Wrong]] = [
    ("not a view", lambda view: {}),
    ("contradicts", with_value(9, "viewer")),
    ("contradicts", with_value([0, 0, 0], "supply")),
    ("contradicts", with_value("pass", "card")),
    ("ply 0", with_value(["summon moray S"], "plays")),
    ("seat 1 cannot", with_value(["plot"] * 8, "hands", 1)),
    ("seat 0 cannot", with_value([], "hands", 0)),
    ("variant", with_value("advanced", "variant")),
]


@pytest.mark.parametrize(("message", "wrong"), WRONG_VIEWS)
def test_a_wrong_view_is_refused(message: str, wrong: Wrong) -> None:
    view = GAME.view_to_plain(GAME.view(GAME.deal(bytes(32), CUNNING, 2), 0))
    with pytest.raises(RulesError, match=message):
        GAME.view_from_plain(wrong(view))
