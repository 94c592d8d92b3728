"""Who sees what in The King Is Dead, and what a viewer may guess."""

import random
from collections import Counter
from typing import Any

import pytest

from engine_service.core.game import Viewer
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.ending import holder
from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import OVER, Options, State
from tests.engine_service.games.king_tables import play, position

SEEDS = range(4)
SEATS = (2, 3, 4)


def match(seed: int, seats: int, variant: str = "cunning") -> list[State]:
    """Every state of a random match."""
    rng = random.Random(seed)
    states = [GAME.deal(seed.to_bytes(32, "big"), Options(variant), seats)]
    while legal := GAME.legal_actions(states[-1]):
        states.append(GAME.apply(states[-1], rng.choice(legal)))
    return states


def plain(state: State, viewer: Viewer) -> dict[str, Any]:
    return GAME.view_to_plain(GAME.view(state, viewer))


def test_the_first_view() -> None:
    view = plain(GAME.deal(bytes(32), Options("cunning"), 3), 1)
    assert (view["viewer"], view["stage"], view["actor"], view["card"]) == (1, "card", 0, "")
    assert (view["passes"], view["resolved"], view["plays"]) == (0, 0, [])
    assert sum(view["supply"]) == 16
    assert set(view["discs"].values()) == {""}
    assert set(view["negotiated"].values()) == {-1}
    assert (view["hand_sizes"], view["last_cards"]) == ([8] * 3, [0] * 3)
    assert (view["box_size"], view["box"]) == (3, [])
    assert [len(hand) for hand in view["hands"]] == [5, 8, 5]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_owner_sees_cunning_cards_in_hand(seed: int, seats: int) -> None:
    for state in match(seed, seats)[:-1]:
        for viewer in (*range(seats), "spectator"):
            view = plain(state, viewer)
            assert view["box"] == []
            for seat, hand in enumerate(view["hands"]):
                if seat == viewer:
                    assert len(hand) == view["hand_sizes"][seat]
                else:
                    assert not set(hand) & set(c.CUNNING)


@pytest.mark.parametrize("seats", SEATS)
def test_nothing_but_hands_and_box_differs_between_viewers(seats: int) -> None:
    for state in match(1, seats):
        views = [plain(state, viewer) for viewer in (*range(seats), "spectator", "all")]
        for view in views:
            for key in ("viewer", "hands", "box"):
                del view[key]
        assert all(view == views[0] for view in views)


@pytest.mark.parametrize("seats", SEATS)
def test_views_do_not_change_with_cards_that_the_viewer_cannot_see(seats: int) -> None:
    """The other seats and the box exchange all their secret cards; nobody has played one."""
    state = GAME.deal(bytes(32), Options("cunning"), seats)
    own = state.cunning[0]
    others = [card for card in c.CUNNING if card not in own]
    for turn in range(9):
        cards = others[turn:] + others[:turn]
        hands = tuple(tuple(cards[3 * i : 3 * i + 3]) for i in range(seats - 1))
        swapped = State(state.options, state.table, (own, *hands))
        assert GAME.view(swapped, 0) == GAME.view(state, 0)
        assert GAME.view(swapped, "spectator") == GAME.view(state, "spectator")


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_plot_is_shown_at_the_end_and_nothing_else(seed: int, seats: int) -> None:
    state = match(seed, seats)[-1]
    view = plain(state, "spectator")
    shown = [(seat, set(hand) & set(c.CUNNING)) for seat, hand in enumerate(view["hands"])]
    expected = [(seat, {c.PLOT} if seat == holder(state) else set()) for seat in range(seats)]
    assert shown == expected


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_basic_game_has_no_secrets(seed: int, seats: int) -> None:
    for state in match(seed, seats, "basic"):
        every = plain(state, "all")
        seen = plain(state, "spectator")
        assert every | {"viewer": -1} == seen
        assert (every["box_size"], every["box"]) == (0, [])
        assert GAME.determinize(GAME.view(state, "spectator"), random.Random(1)) == state


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_card_is_lost_or_doubled(seed: int, seats: int) -> None:
    for state in match(seed, seats):
        view = plain(state, "all")
        cards = [card for pile in [*view["hands"], *view["discards"]] for card in pile]
        secrets = [card for card in cards if card in c.CUNNING]
        assert sorted(secrets + view["box"]) == sorted(c.CUNNING)
        assert len(view["box"]) == view["box_size"]
        assert Counter(cards)["assemble"] == 2 * seats


def test_hands_are_listed_in_canonical_order() -> None:
    for state in match(2, 3):
        for hand in plain(state, "all")["hands"]:
            assert hand == sorted(hand, key=c.CARDS.index)


def test_the_copied_card_is_told_behind_spy() -> None:
    secrets = (("spy", "ambush", "march"), ("plot", "aid", "influence"))
    state = position(secrets=secrets, discards=((), ("support-w",)))
    spying = play(state, "play spy")
    assert (plain(spying, 1)["stage"], plain(spying, 1)["card"]) == ("effect", "spy")
    assert plain(play(spying, "spy 1"), 1)["card"] == "support-w"


def test_a_guess_keeps_what_the_viewer_knows() -> None:
    rng = random.Random(3)
    for state in match(3, 3):
        for viewer in range(3):
            guess = GAME.determinize(GAME.view(state, viewer), rng)
            assert set(guess.cunning[viewer]) == set(state.cunning[viewer])
            assert guess.table is state.table
            for seat, discards in enumerate(state.table.discards):
                played = set(discards) & set(c.CUNNING)
                assert played <= set(guess.cunning[seat])


@pytest.mark.parametrize("seats", SEATS)
def test_each_hidden_card_comes_everywhere_equally_often(seats: int) -> None:
    state = GAME.deal(bytes(32), Options("cunning"), seats)
    view, rng, samples = GAME.view(state, 0), random.Random(5), 4000
    found: Counter[tuple[int, str]] = Counter()
    for _ in range(samples):
        guess = GAME.determinize(view, rng)
        found.update((seat, card) for seat in range(1, seats) for card in guess.cunning[seat])
    hidden = [card for card in c.CUNNING if card not in state.cunning[0]]
    assert set(found) == {(seat, card) for seat in range(1, seats) for card in hidden}
    mean = samples * c.SECRETS / len(hidden)
    assert all(abs(number - mean) < 5 * mean**0.5 for number in found.values())


def test_at_the_end_nobody_is_guessed_to_hold_a_plot_that_was_not_shown() -> None:
    rng, holders = random.Random(4), set()
    for seed in range(12):
        state = GAME.deal(bytes([seed]) * 32, Options("cunning"), 2)
        while state.table.stage != OVER:
            state = play(state, "pass")  # so that all secret cards are still in hand
        for _ in range(10):
            guess = GAME.determinize(GAME.view(state, "spectator"), rng)
            assert holder(guess) == holder(state)
            assert GAME.result(guess) == GAME.result(state)
        holders.add(holder(state))
    assert holders == {0, 1, None}


@pytest.mark.parametrize("viewer", [2, -1, "nobody", None])
def test_an_unknown_viewer_is_refused(viewer: Any) -> None:
    with pytest.raises(ValueError, match="no seat"):
        GAME.view(GAME.deal(bytes(32), Options(), 2), viewer)
