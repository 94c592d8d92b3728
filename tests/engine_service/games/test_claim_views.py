"""Who sees what in Claim."""

import random
from typing import Any

import pytest

from engine_service.core.game import Viewer
from engine_service.games.claim import cards as c
from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import Options, State

SEEDS = range(5)


def after(seed: int, plies: int, peek: bool = False) -> State:
    """A random match after some plies."""
    rng = random.Random(seed)
    state = GAME.deal(seed.to_bytes(32, "big"), Options(peek), 2)
    for _ in range(plies):
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state)))
    return state


def plain(state: State, viewer: Viewer) -> dict[str, Any]:
    return GAME.view_to_plain(GAME.view(state, viewer))


def test_the_first_view() -> None:
    view = plain(after(0, 0), 0)
    assert (view["viewer"], view["phase"], view["trick"]) == (0, 1, 0)
    assert (view["leader"], view["actor"], view["led"]) == (0, 0, "")
    assert len(view["hands"][0]) == 13
    assert view["hand_sizes"] == [13, 13]
    assert (view["deck_size"], view["deck"]) == (25, [])  # the prize is turned up
    assert view["prize"] == c.NAMES[after(0, 0).cards[26]]
    assert view["votes"] == [-1] * 5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("plies", range(53))
def test_only_the_owner_sees_a_hand(seed: int, plies: int) -> None:
    state = after(seed, plies)
    for seat in range(2):
        view = plain(state, seat)
        assert view["hands"][1 - seat] == []
        assert len(view["hands"][seat]) == view["hand_sizes"][seat]
    spectator = plain(state, "spectator")
    assert spectator["hands"] == [[], []]
    assert spectator["deck"] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("plies", [0, 1, 2, 15, 25])
def test_blind_cards_stay_hidden_in_phase_1(seed: int, plies: int) -> None:
    state = after(seed, plies)
    for viewer in (0, 1, "spectator"):
        view = plain(state, viewer)
        for seat in range(2):
            prizes = [t["prize"] for t in view["tricks"] if t["winner"] == seat]
            assert sorted(view["followers"][seat]) == sorted(prizes)
            assert view["blind_counts"][seat] == plies // 2 - len(prizes)


@pytest.mark.parametrize("seed", SEEDS)
def test_with_blind_peek_the_owner_alone_knows_them(seed: int) -> None:
    state = after(seed, 20, peek=True)
    view = plain(state, 1)
    assert view["followers"][1] == c.card_names(c.members(state.followers[1]))
    assert view["blind_counts"][1] == 0
    assert view["followers"][0] == plain(state, "spectator")["followers"][0]
    assert plain(after(seed, 20), 1)["blind_counts"][1] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_in_phase_2_the_followers_are_the_hand(seed: int) -> None:
    before, state = after(seed, 25), after(seed, 26)
    view = plain(state, 0)
    assert view["phase"] == 2
    assert view["followers"] == [[], []]
    assert (view["prize"], view["deck_size"], view["blind_counts"]) == ("", 0, [0, 0])
    assert c.size(before.followers[0]) == 12
    assert view["hands"][0] == c.card_names(c.members(state.hands[0]))


@pytest.mark.parametrize("seed", SEEDS)
def test_all_is_the_complete_state(seed: int) -> None:
    state = after(seed, 9)
    view = plain(state, "all")
    assert view["deck"] == c.card_names(state.cards[26 + 2 * 4 + 1 :])
    assert view["deck_size"] == len(view["deck"])
    assert [len(hand) for hand in view["hands"]] == view["hand_sizes"]
    assert view["blind_counts"] == [0, 0]


@pytest.mark.parametrize("plies", range(53))
def test_no_card_is_lost_or_doubled(plies: int) -> None:
    view = plain(after(3, plies), "all")
    table = [card for card in (view["led"], view["prize"]) if card]
    piles = [*view["hands"], *view["followers"], *view["scored"]]
    found = [card for pile in piles for card in pile] + view["deck"] + view["discarded"] + table
    assert sorted(found) == sorted(c.card_names(c.DECK))


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_are_listed_in_canonical_order(seed: int) -> None:
    for plies in range(53):
        view = plain(after(seed, plies), seed % 2)
        for pile in [*view["hands"], *view["followers"], *view["scored"]]:
            assert pile == sorted(pile, key=c.NAMES.index)


def test_discards_are_in_order_of_play_without_undead() -> None:
    view = plain(after(1, 52), "spectator")
    played = [card for trick in view["tricks"][:13] for card in trick["cards"]]
    assert view["discarded"] == [card for card in played if card[0] != "U"]


def test_the_last_view() -> None:
    state = after(2, 52)
    view = plain(state, 0)
    assert (view["phase"], view["trick"], view["actor"], view["led"]) == (2, 12, -1, "")
    assert len(view["tricks"]) == 26
    assert view["leader"] == view["tricks"][-1]["winner"]
    assert view["hand_sizes"] == [0, 0]
    result = GAME.result(state)
    assert result is not None
    assert result.score["votes"] == [view["votes"].count(0), view["votes"].count(1)]
