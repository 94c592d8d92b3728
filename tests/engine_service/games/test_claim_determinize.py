"""Hidden cards go wherever the viewer cannot rule them out, and nowhere else."""

import random
from collections import Counter, defaultdict
from typing import Any

import pytest

from engine_service.core.game import Viewer
from engine_service.games.claim import cards as c
from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import Options, State

SAMPLES = 600  # a pile of two among thirty cards: 200 would miss a card now and then
# After 12 plies: no void; U|X; G|K; U K|D; seat 1 without K, G and X.
SEEDS = (0, 24, 124, 248, 269)
DECK = Counter(c.card_names(c.DECK))


def after(seed: int, plies: int, peek: bool = False) -> State:
    """A random match after some plies."""
    rng = random.Random(seed)
    state = GAME.deal(seed.to_bytes(32, "big"), Options(peek), 2)
    for _ in range(plies):
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state)))
    return state


def plain(state: State, viewer: Viewer) -> dict[str, Any]:
    return GAME.view_to_plain(GAME.view(state, viewer))


def hidden_cards(view: dict[str, Any]) -> Counter[str]:
    """What the view does not show, counted from its plain form alone."""
    table = [card for card in (view["led"], view["prize"]) if card]
    piles = [*view["hands"], *view["followers"], *view["scored"]]
    seen = [card for pile in piles for card in pile] + view["discarded"] + view["deck"] + table
    return DECK - Counter(seen)


def void_factions(view: dict[str, Any], seat: int) -> set[str]:
    """Factions that the seat did not follow in this phase."""
    return {
        trick["cards"][0][0]
        for trick in view["tricks"]
        if trick["phase"] == view["phase"]
        and trick["leader"] != seat
        and trick["cards"][1][0] not in (trick["cards"][0][0], "X")
    }


def places(view: dict[str, Any], state: State) -> dict[str, Counter[str]]:
    """Where the hidden cards of phase 1 lie in a state."""
    whole = plain(state, "all")
    found = {}
    for seat in range(2):
        found[f"hand {seat}"] = Counter(whole["hands"][seat]) - Counter(view["hands"][seat])
        found[f"blind {seat}"] = Counter(whole["followers"][seat]) - Counter(
            view["followers"][seat]
        )
    found["deck"] = Counter(whole["deck"]) - Counter(view["deck"])
    return {place: cards for place, cards in found.items() if cards}


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
@pytest.mark.parametrize("peek", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_hidden_card_comes_everywhere_it_may(seed: int, peek: bool, viewer: Viewer) -> None:
    view = GAME.view(after(seed, 12, peek), viewer)
    shown = GAME.view_to_plain(view)
    hidden, seen = hidden_cards(shown), defaultdict(set)
    rng = random.Random(seed)
    for _ in range(SAMPLES):
        for place, cards in places(shown, GAME.determinize(view, rng)).items():
            seen[place] |= set(cards)
    for place, cards in seen.items():
        void = void_factions(shown, int(place[-1])) if place.startswith("hand") else set()
        assert cards == {card for card in hidden if card[0] not in void}, place


def test_these_positions_have_voids() -> None:
    views = [plain(after(seed, 12), "spectator") for seed in SEEDS]
    found = [["".join(sorted(void_factions(view, seat))) for seat in (0, 1)] for view in views]
    assert found == [["", ""], ["U", "X"], ["G", "K"], ["KU", "D"], ["", "GKX"]]


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "all"])
@pytest.mark.parametrize("peek", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_viewer_cannot_tell(seed: int, peek: bool, viewer: Viewer) -> None:
    rng = random.Random(seed)
    for plies in range(53):
        view = GAME.view(after(seed, plies, peek), viewer)
        assert GAME.view(GAME.determinize(view, rng), viewer) == view


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_play_was_legal_in_the_guessed_match(seed: int, viewer: Viewer) -> None:
    rng = random.Random(seed)
    for plies in range(53):
        guess = GAME.determinize(GAME.view(after(seed, plies), viewer), rng)
        assert GAME.state_from_plain(GAME.state_to_plain(guess)) == guess


@pytest.mark.parametrize("seed", range(6))
def test_in_phase_2_a_seat_knows_the_other_hand(seed: int) -> None:
    for plies in range(26, 53):
        state = after(seed, plies)
        guess = GAME.determinize(GAME.view(state, 0), random.Random(seed))
        assert guess.hands == state.hands


def test_in_phase_2_a_spectator_does_not() -> None:
    state = after(0, 26)
    view, rng = GAME.view(state, "spectator"), random.Random(0)
    hands = {GAME.determinize(view, rng).hands for _ in range(50)}
    assert len(hands) > 40
    prizes = [t for t in view.tricks if t.winner == 0]
    assert all(hand[0] & c.UNIT[t.prize] for hand in hands for t in prizes if t.prize != c.G0)


def test_the_guess_depends_on_the_view_alone() -> None:
    state = after(1, 14)
    view = GAME.view(state, 1)
    other = GAME.determinize(view, random.Random(5))
    assert other != state
    again = GAME.view(other, 1)
    assert GAME.determinize(view, random.Random(9)) == GAME.determinize(again, random.Random(9))


def test_every_fitting_hand_is_equally_likely() -> None:
    """A late position with few hidden cards: the frequencies of the other hand are level."""
    view = GAME.view(after(2, 22), 0)
    rng, samples = random.Random(1), 6000
    hands = Counter(GAME.determinize(view, rng).hands[1] for _ in range(samples))
    distinct = {hand: n for hand, n in hands.items() if not hand & c.G0_MASK}
    mean = sum(distinct.values()) / len(distinct)
    spread = sum((n - mean) ** 2 for n in distinct.values()) / len(distinct)
    assert spread < 2 * mean  # a Poisson spread has the mean as its variance
