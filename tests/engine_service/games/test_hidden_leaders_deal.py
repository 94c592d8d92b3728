"""The deal, options, notation and the invariants of whole matches of Hidden Leaders: Duel."""

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from engine_service.core.errors import OptionError, RulesError
from engine_service.core.game import Plain
from engine_service.games.hidden_leaders_duel import actions as a
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import CODES, DECK, STRENGTH
from engine_service.games.hidden_leaders_duel.state import LEADERS, Options
from tests.engine_service.games.hidden_leaders_tables import after, deal, legal, plain, play

ZEROS = GAME.deal(bytes(32), Options(), 2)
TWINS = ["R5", "R5", "R5", "G0", "G99", "B7", "K1"] * 4


def test_the_deal_of_the_seed_of_zeros() -> None:
    found = GAME.deal_to_plain(ZEROS)
    assert found["first"] == 0
    assert found["hands"] == [["B1", "G5", "R5"], ["G1", "B7", "R2"]]
    assert found["leaders"] == ["RB", "GB"]
    assert found["row"][:4] == ["B6", "G2", "K6", "K4"]
    assert found["pile"][0] == "G6"


def test_the_default_cards() -> None:
    assert len(DECK) == 28
    assert sum(STRENGTH[hero] for hero in DECK) == 112
    assert [leader.factions for leader in LEADERS] == "RG RB RK GB GK BK".split()
    assert {leader.value for leader in LEADERS} == {4}


def test_options_hold_what_differs() -> None:
    leaders = [{"factions": ["R", "B"], "value": 0}, {"factions": ["K"], "value": 99}]
    written = {"deck": TWINS, "leaders": leaders, "hidden_factions": True}
    assert GAME.parse_options({}).to_plain() == {}
    assert GAME.parse_options(written).to_plain() == written
    defaults = {
        "deck": list(DECK),
        "leaders": [{"factions": list(item.factions), "value": 4} for item in LEADERS],
        "hidden_factions": False,
    }
    assert GAME.parse_options(defaults) == Options()
    assert GAME.parse_options(defaults).to_plain() == {}
    backwards = {"deck": list(DECK[::-1])}
    assert GAME.parse_options(backwards).to_plain() == backwards


LEADER = {"factions": ["R"], "value": 1}
OBJECTS = "objects with factions and value"
FACTION_LIST = "factions: one to four of R, G, B, K in this order"
A_HERO = "heroes of R, G, B or K and a strength from 0 to 99, got "
VALUE = "value: a whole number from 0 to 99"


@pytest.mark.parametrize(
    ("raw", "field", "expected"),
    [
        ([], "options", "an object"),
        ({"stacks": 1}, "stacks", "one of deck, leaders, hidden_factions"),
        ({"hidden_factions": 1}, "hidden_factions", "true or false"),
        ({"hidden_factions": None}, "hidden_factions", "true or false"),
        ({"deck": TWINS[:27]}, "deck", "a list of 28 heroes"),
        ({"deck": None}, "deck", "a list of 28 heroes"),
        ({"deck": "R" * 28}, "deck", "a list of 28 heroes"),
        ({"deck": [*TWINS[:27], "X1"]}, "deck", A_HERO + "'X1'"),
        ({"deck": [*TWINS[:27], "R05"]}, "deck", A_HERO + "'R05'"),
        ({"deck": [*TWINS[:27], "R100"]}, "deck", A_HERO + "'R100'"),
        ({"deck": [*TWINS[:27], 5]}, "deck", A_HERO + "'5'"),
        ({"leaders": [LEADER]}, "leaders", "a list of at least two leaders"),
        ({"leaders": {}}, "leaders", "a list of at least two leaders"),
        ({"leaders": [LEADER, LEADER]}, "leaders", "no two leaders with the same factions"),
        ({"leaders": [LEADER, "RG"]}, "leaders", OBJECTS),
        ({"leaders": [LEADER, {"factions": ["G"]}]}, "leaders", OBJECTS),
        ({"leaders": [LEADER, {**LEADER, "more": 1}]}, "leaders", OBJECTS),
        ({"leaders": [LEADER, {"factions": [], "value": 1}]}, "leaders", FACTION_LIST),
        ({"leaders": [LEADER, {"factions": ["G", "R"], "value": 1}]}, "leaders", FACTION_LIST),
        ({"leaders": [LEADER, {"factions": ["G", "G"], "value": 1}]}, "leaders", FACTION_LIST),
        ({"leaders": [LEADER, {"factions": ["X"], "value": 1}]}, "leaders", FACTION_LIST),
        ({"leaders": [LEADER, {"factions": "G", "value": 1}]}, "leaders", FACTION_LIST),
        ({"leaders": [LEADER, {"factions": ["G"], "value": 100}]}, "leaders", VALUE),
        ({"leaders": [LEADER, {"factions": ["G"], "value": -1}]}, "leaders", VALUE),
        ({"leaders": [LEADER, {"factions": ["G"], "value": True}]}, "leaders", VALUE),
    ],
)
def test_a_wrong_option_is_named(raw: Any, field: str, expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.parse_options(raw)
    assert (caught.value.field, caught.value.expected) == (field, expected)


def wrong_deals() -> Iterator[Any]:
    good = GAME.deal_to_plain(ZEROS)
    first, second = good["hands"]
    yield None
    yield {}
    yield good | {"first": 1}
    yield good | {"first": False}
    yield good | {"more": 1}
    yield {key: good[key] for key in good if key != "pile"}
    yield good | {"hands": [first]}
    yield good | {"hands": [first, first]}
    yield good | {"hands": [first[:2], second]}
    yield good | {"hands": "R5"}
    yield good | {"row": good["row"][:13]}
    yield good | {"pile": [*good["pile"][:7], "R?"]}
    yield good | {"pile": [*good["pile"], "R1"]}
    yield good | {"leaders": ["RB", "RB"]}
    yield good | {"leaders": ["RB"]}
    yield good | {"leaders": ["RB", "BG"]}
    yield good | {"leaders": ["RB", ["GB"]]}
    yield good | {"leaders": "RB"}


@pytest.mark.parametrize("wrong", list(wrong_deals()))
def test_a_wrong_deal_is_refused(wrong: Any) -> None:
    with pytest.raises(RulesError):
        GAME.deal_from_plain(wrong, Options(), 2)


def test_a_state_with_an_illegal_play_is_refused() -> None:
    written = GAME.state_to_plain(ZEROS)
    with pytest.raises(RulesError, match="ply 0"):
        GAME.state_from_plain(written | {"plays": ["play R5 council"]})
    with pytest.raises(RulesError):
        GAME.state_from_plain(written | {"plays": [5]})
    with pytest.raises(RulesError):
        GAME.state_from_plain({"plays": []})
    with pytest.raises(OptionError):
        GAME.state_from_plain(written | {"options": []})


def wrong_views() -> Iterator[Plain]:
    good = plain(after(1, 8), 0)
    yield {key: good[key] for key in good if key != "turns"}
    for key, value in {
        "viewer": True,
        "step": "draw",
        "turn": "2",
        "slots": [{}],
        "hands": [["R5"]],
        "councils": [["R5"], ["Q"]],
        "leaders": ["RB", "XY"],
        "pile": "R?",
        "turns": [1],
        "armies": None,
        "deck": good["deck"][:5],
        "leader_cards": [{"factions": "RB"}],
        "hidden_factions": 0,
    }.items():
        yield good | {key: value}


@pytest.mark.parametrize("wrong", list(wrong_views()))
def test_a_wrong_view_is_refused(wrong: Plain) -> None:
    with pytest.raises(RulesError):
        GAME.view_from_plain(wrong)


@pytest.mark.parametrize("viewer", [2, -1, "nobody", None])
def test_an_unknown_viewer_is_refused(viewer: Any) -> None:
    with pytest.raises(RulesError):
        GAME.view(ZEROS, viewer)


def test_every_id_has_a_notation_of_its_own() -> None:
    """All ids of the default deck, and samples up to the last: dense, and back again."""
    of_deck = a.play_id("R0", a.COUNCIL)  # the first hero that the default deck lacks
    assert of_deck == 105 + 28 * (15 + 14) + 28 * 28 * 91
    texts = {a.notation(action) for action in range(of_deck)}
    assert len(texts) == of_deck
    heroes = {word.split("@")[0] for text in texts for word in text.split() if word[0] in "RGBK"}
    assert heroes == set(DECK)
    sampled = [*range(of_deck), *range(of_deck, a.COUNT, 4999), a.COUNT - 1]
    assert all(GAME.parse(GAME.notation(action)) == action for action in sampled)


def test_every_notation_has_an_id_of_its_own() -> None:
    """Every way to write an action of three heroes, doubled ones too."""
    heroes = ("R1", CODES[200], "K99")
    texts = [f"take {slot}" for slot in range(14)]
    texts += [f"play {hero} council" for hero in heroes]
    texts += [f"play {hero} block {slot}" for hero, slot in product(heroes, range(14))]
    texts += [f"return {hero}@{slot}" for hero, slot in product(heroes, range(14))]
    for one, other in a.PAIRS:
        texts.append(f"take {one} {other}")
        texts += [f"return {h}@{one} {g}@{other}" for h, g in product(heroes, heroes)]
    ids = {GAME.parse(text) for text in texts}
    assert len(ids) == len(texts)
    assert all(0 <= action < a.COUNT for action in ids)
    assert [GAME.notation(GAME.parse(text)) for text in texts] == texts


@pytest.mark.parametrize(
    "text",
    [
        "take",
        "take 14",
        "take 03",
        "take 3 3",
        "take 9 3",
        "take 1 2 3",
        "take 1  2",
        "take 1 2 ",
        "take 1 2\n",
        "take \N{ARABIC-INDIC DIGIT THREE}",
        "Take 1 2",
        "return R5",
        "return R5@14",
        "return G2@9 R5@3",
        "return R5@3 G2@3",
        "return R?@3",
        "return R05@3",
        "return X5@3",
        "return R100@3",
        "play R5",
        "play R? council",
        "play ? council",
        "play R5 block",
        "play R5 block 14",
        "play R5 block 03",
        "play X5 council",
        "play r5 council",
    ],
)
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        GAME.parse(text)


@pytest.mark.parametrize("action", [-1, a.COUNT])
def test_what_is_no_id_is_refused(action: int) -> None:
    with pytest.raises(RulesError):
        GAME.notation(action)


def test_heroes_that_are_alike_are_one_action() -> None:
    state = GAME.deal(bytes(32), GAME.parse_options({"deck": ["R5"] * 28}), 2)
    state = play(state, legal(state)[0])
    assert legal(state) == ["return R5@0 R5@1"]
    state = play(state, "return R5@0 R5@1")
    assert len(legal(state)) == 15


@pytest.mark.parametrize("seed", range(20))
def test_where_the_heroes_of_a_match_are(seed: int) -> None:
    for plies in range(43):
        view = plain(after(seed, plies), "all")
        turns, vacant = plies // 3, 2 * (plies % 3 == 1)
        heroes = [slot["hero"] for slot in view["slots"] if slot["hero"]]
        blockers = [slot["blocker"] for slot in view["slots"] if slot["blocker"]]
        councils = [hero for council in view["councils"] for hero in council]
        hands = [hero for hand in view["hands"] for hero in hand]
        if plies < 40:
            assert len(heroes) == 14 - vacant
        assert len(blockers) + len(councils) == turns
        assert len(view["pile"]) == max(0, 8 - turns)
        assert sorted(heroes + blockers + councils + hands + view["pile"]) == sorted(DECK)
    army = [hero for part in (*view["armies"], view["discarded"]) for hero in part]
    assert sorted(army) == sorted(heroes + blockers)
    assert [turn["seat"] for turn in view["turns"]] == [0, 1] * 7


def test_face_down_means_never_taken() -> None:
    for seed, plies in product(range(5), range(43)):
        view = plain(after(seed, plies), 0)
        taken = {slot for turn in view["turns"] for slot in turn["slots"]}
        lying = {number for number, slot in enumerate(view["slots"]) if slot["hero"]}
        up = {number for number, slot in enumerate(view["slots"]) if slot["face_up"]}
        assert up == taken & lying


def test_forced_plies_come_from_one_way_only() -> None:
    state = deal()
    assert len(legal(state)) == 91
    assert list(islice(legal(state), 3)) == ["take 0 1", "take 0 2", "take 0 3"]
