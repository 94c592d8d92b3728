"""The deal, options, notation and the invariants of whole matches of Claim."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine_service.core.errors import OptionError, RulesError
from engine_service.games.claim import cards as c
from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import Options, State


def match(seed: int) -> Iterator[State]:
    """Every state of a random match, the deal first."""
    rng = random.Random(seed)
    state = GAME.deal(seed.to_bytes(32, "big"), Options(), 2)
    yield state
    while legal := GAME.legal_actions(state):
        state = GAME.apply(state, rng.choice(legal))
        yield state


def test_the_deal_of_the_seed_of_zeros() -> None:
    deal = GAME.deal_to_plain(GAME.deal(bytes(32), Options(), 2))
    assert deal["first"] == 0
    assert " ".join(deal["hands"][0]) == "U6 D9 G3 K5 U2 G4 G1 G5 U4 G8 X8 D7 U9"
    assert deal["deck"][:4] == ["D1", "G6", "D0", "U8"]


def test_the_deck_is_the_printed_one() -> None:
    assert len(c.DECK) == 52
    assert len(c.NAMES) == len(set(c.NAMES)) == 48
    counts = [c.size(c.collect(c.DECK) & suit) for suit in c.SUITS]
    assert counts == [14, 8, 10, 10, 10]


def test_sets_hold_all_five_goblins_of_value_0() -> None:
    five = c.collect([c.G0] * 5)
    assert c.size(five) == 5
    assert c.members(five) == [c.G0] * 5
    assert c.distinct(five) == [c.G0]
    assert c.less(five, c.collect([c.G0] * 2)) == c.collect([c.G0] * 3)
    assert c.less(c.collect([c.G0, 7]), five) == c.UNIT[7]


@pytest.mark.parametrize("seed", range(40))
def test_where_the_cards_of_a_match_end(seed: int) -> None:
    states = list(match(seed))
    first, last = states[0], states[-1]
    assert len(states) == 53
    whole, deck = c.collect(c.DECK), c.collect(first.cards[26:])
    dealt_undead = c.size((whole - deck) & c.SUITS[c.UNDEAD])
    scored = sum(last.scored)
    assert c.size(last.scored[0]) + c.size(last.scored[1]) == 26 + dealt_undead
    assert scored & c.SUITS[c.UNDEAD] == c.SUITS[c.UNDEAD]
    for faction, suit in enumerate(c.SUITS):
        if faction != c.UNDEAD:
            assert c.size(scored & suit) == c.size(deck & suit)


@pytest.mark.parametrize("seed", range(10))
def test_each_seat_recruits_13_followers(seed: int) -> None:
    states = list(match(seed))
    assert [c.size(pile) for pile in states[26].hands] == [13, 13]
    assert states[26].hands[0] + states[26].hands[1] == c.collect(states[0].cards[26:])
    sizes = [c.size(pile) for pile in states[12].followers]
    assert sizes == [6, 6]


def test_options_hold_what_differs() -> None:
    assert GAME.parse_options({}).to_plain() == {}
    assert GAME.parse_options({"blind_peek": False}).to_plain() == {}
    assert GAME.parse_options({"blind_peek": True}).to_plain() == {"blind_peek": True}


@pytest.mark.parametrize(
    ("raw", "field"),
    [({"peek": True}, "peek"), ({"blind_peek": 1}, "blind_peek"), ({"blind_peek": None}, "blind_")],
)
def test_a_wrong_option_is_named(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.parse_options(raw)
    assert caught.value.field.startswith(field)


def wrong_deals() -> Iterator[Any]:
    good = GAME.deal_to_plain(GAME.deal(bytes(32), Options(), 2))
    first, second = good["hands"]
    yield None
    yield {}
    yield good | {"first": 1}
    yield good | {"first": False}
    yield good | {"more": 1}
    yield good | {"hands": [first]}
    yield good | {"hands": [first, first]}
    yield good | {"hands": [first[:12], second]}
    yield good | {"deck": good["deck"][:25]}
    yield good | {"deck": [*good["deck"][:25], "Z9"]}
    yield good | {"deck": "G0"}


@pytest.mark.parametrize("deal", list(wrong_deals()))
def test_a_wrong_deal_is_refused(deal: Any) -> None:
    with pytest.raises(RulesError):
        GAME.deal_from_plain(deal, Options(), 2)


def test_a_state_with_an_illegal_play_is_refused() -> None:
    plain = GAME.state_to_plain(GAME.deal(bytes(32), Options(), 2))
    with pytest.raises(RulesError, match="ply 0"):
        GAME.state_from_plain(plain | {"plays": ["K2"]})
    with pytest.raises(RulesError):
        GAME.state_from_plain({"plays": []})
    with pytest.raises(OptionError):
        GAME.state_from_plain(plain | {"options": []})


@pytest.mark.parametrize("viewer", [2, -1, "nobody", None])
def test_an_unknown_viewer_is_refused(viewer: Any) -> None:
    with pytest.raises(RulesError):
        GAME.view(GAME.deal(bytes(32), Options(), 2), viewer)
