"""Unseen heroes go wherever the viewer cannot rule them out, and nowhere else."""

import random
from collections import Counter
from itertools import permutations
from math import prod

import pytest

from engine_service.core.errors import RulesError
from engine_service.core.game import Viewer
from engine_service.games.hidden_leaders_duel.actions import Play, text
from engine_service.games.hidden_leaders_duel.dealing import dealt
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import DECK, FACTIONS
from engine_service.games.hidden_leaders_duel.state import LEADERS, Leader, Options, State
from engine_service.games.hidden_leaders_duel.turns import history
from tests.engine_service.games.hidden_leaders_tables import HIDDEN, after, deal, plain, play

OWN_LEADERS = (Leader("RGBK", 0), Leader("K", 99), Leader("BK", 7))
CONFIGURATIONS = [
    Options(),
    HIDDEN,
    Options(("R5", "R5", "R5", "R5", "G0", "G0", "K99") * 4, OWN_LEADERS),
    Options(("R5", "R5", "R5", "B5", "G0", "G0", "K99") * 4, OWN_LEADERS, hidden_factions=True),
]
LABELS = ["default", "hidden", "twins", "hidden-twins"]
START = deal(("R1 G4 K7", "R2 R3 B6"), {0: "R7", 1: "R6", 9: "K6"}, pile="B1 B2 B3 B4")
OPENED = play(START, "take 0 9", "return R7@0 K6@9", "play R1 council")
KEPT = play(OPENED, "take 0 9", "return B6@0 K6@9", "play R2 council")  # R7 stays with seat 1


def guesses(state: State, viewer: Viewer, samples: int) -> list[State]:
    view, rng = GAME.view(state, viewer), random.Random(1)
    return [GAME.determinize(view, rng) for _ in range(samples)]


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "all"])
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=LABELS)
@pytest.mark.parametrize("seed", range(2))
def test_the_viewer_cannot_tell(seed: int, options: Options, viewer: Viewer) -> None:
    rng = random.Random(seed)
    for plies in range(0, 43, 2 - seed):
        view = GAME.view(after(seed, plies, options), viewer)
        guess = GAME.determinize(view, rng)
        assert GAME.view(guess, viewer) == view
        assert GAME.state_from_plain(GAME.state_to_plain(guess)) == guess


def test_the_hand_that_is_dealt_can_be_any_of_its_factions() -> None:
    found = guesses(START, 0, 400)
    assert {tuple(hero[0] for hero in guess.hands[1]) for guess in found} == {("R", "R", "B")}
    red = {hero for guess in found for hero in guess.hands[1] if hero[0] == "R"}
    blue = {hero for guess in found for hero in guess.hands[1] if hero[0] == "B"}
    assert red == {f"R{strength}" for strength in range(2, 8)}
    assert blue == {f"B{strength}" for strength in range(1, 8)}


def test_the_leader_can_be_any_other() -> None:
    found = guesses(START, 0, 200)
    own = START.leaders[0]
    assert {guess.leaders[0] for guess in found} == {own}
    assert {guess.leaders[1] for guess in found} == set(LEADERS) - {own}
    assert len({guess.leaders for guess in guesses(START, "spectator", 400)}) == 30


def test_the_pile_can_come_in_any_order_under_its_top() -> None:
    found = guesses(START, 0, 400)
    assert {guess.pile[0][0] for guess in found} == {"B"}
    factions = sorted(hero[0] for hero in START.pile[1:])  # everybody can count these
    assert all(sorted(hero[0] for hero in guess.pile[1:]) == factions for guess in found)
    for place in range(1, 8):
        assert {guess.pile[place][0] for guess in found} == {"B", "K"}
    unseen = {hero for hero in DECK if hero[0] in "BK"} - {"K7"}
    assert {hero for guess in found for hero in guess.pile} == unseen


def test_a_hero_that_was_seen_may_have_been_played_or_kept() -> None:
    """Of three red heroes in that hand one was played: the known one in a third of all cases."""
    found = guesses(KEPT, 0, 900)
    played = Counter(guess.councils[1][0] for guess in found)
    assert set(played) == {f"R{strength}" for strength in range(2, 8)}
    assert 240 < played["R7"] < 360
    for guess in found:
        assert ("R7" in guess.hands[1]) == (guess.councils[1] != ("R7",))


def test_a_hero_that_came_back_was_not_played() -> None:
    again = play(KEPT, "take 3 4", "return G4@3 K7@4", "play B1 council")
    back = play(again, "take 3 5", "return R7@3 B2@5", "play R3 council")
    for guess in guesses(back, 0, 100):
        assert [turn.played for turn in guess.turns if turn.seat == 1] == [
            guess.turns[1].played,
            guess.turns[3].played,
        ]
        assert "R7" not in (*guess.councils[1], *guess.hands[1])
        assert guess.turns[3].returned == ("R7", "B2")


def test_a_hero_that_is_shown_later_was_unseen_before() -> None:
    """Seat 1 returns R3, which it held from the deal: it was not what was played in between."""
    again = play(KEPT, "take 3 4", "return G4@3 K7@4", "play B1 council")
    shown = play(again, "take 3 5", "return R3@3 B2@5", "play R7 council")
    for guess in guesses(shown, 0, 100):
        assert "R3" in guess.heroes[3:6]
        assert all("R3" not in (turn.played, turn.drawn) for turn in guess.turns)


@pytest.mark.parametrize("seed", range(6))
def test_a_seat_knows_its_own_match(seed: int) -> None:
    for plies in (7, 20, 33, 42):
        state = after(seed, plies)
        guess = guesses(state, 0, 1)[0]
        assert guess.hands[0] == state.hands[0]
        assert guess.councils[0] == state.councils[0]
        assert sorted(guess.heroes[:3]) == sorted(state.heroes[:3])
        assert [t for t in guess.turns if t.seat == 0] == [t for t in state.turns if t.seat == 0]


def test_all_leaves_nothing_to_guess() -> None:
    state = after(2, 25)
    guess = guesses(state, "all", 1)[0]
    assert (guess.slots, guess.turns, guess.leaders) == (state.slots, state.turns, state.leaders)
    assert (guess.hands, guess.councils, guess.pile) == (state.hands, state.councils, state.pile)


def test_the_guess_depends_on_the_view_alone() -> None:
    state = after(1, 20)
    other = guesses(state, 1, 1)[0]
    assert other != state
    assert guesses(state, 1, 5) == guesses(other, 1, 5)


@pytest.mark.parametrize(("seed", "plies", "viewer"), [(1, 36, 1), (7, 39, 1)])
def test_every_match_that_fits_comes_up_and_is_equally_likely(
    seed: int, plies: int, viewer: int
) -> None:
    """Late positions: how often each match comes up spreads like a Poisson number."""
    samples, state = 1500, after(seed, plies)
    found = Counter(told_apart(guess) for guess in guesses(state, viewer, samples))
    assert len(found) == prod(len(fitting(state, viewer, faction)) for faction in FACTIONS)
    mean = samples / len(found)
    spread = sum((number - mean) ** 2 for number in found.values()) / len(found)
    assert spread < 1.7 * mean


def told_apart(match: State) -> object:
    """The match but for the order of a hand, and the leaders."""
    hands = [tuple(sorted(match.heroes[:3])), tuple(sorted(match.heroes[3:6]))]
    return (*hands, match.heroes[6:], match.turns)


def fitting(state: State, viewer: int, faction: str) -> set[object]:
    """All matches with the same view where heroes of one faction differ, found by trying."""
    seat, view = 1 - viewer, GAME.view(state, viewer)
    places = [
        place
        for place, hero in enumerate(state.heroes)
        if hero[0] == faction and not was_seen(state, viewer, place)
    ]
    found = set()
    for order in permutations([state.heroes[place] for place in places]):
        heroes = list(state.heroes)
        for place, hero in zip(places, order, strict=True):
            heroes[place] = hero
        reached = {dealt(state.options, tuple(heroes), state.leaders)}
        for action in history(state.turns):
            free = isinstance(action, Play) and action.hero[0] == faction
            reached = {
                GAME.apply(before, GAME.parse(text(other)))
                for before in reached
                for other in (others(action, faction) if free and before.seat == seat else [action])
                if GAME.parse(text(other)) in GAME.legal_actions(before)
            }
        found |= {told_apart(match) for match in reached if GAME.view(match, viewer) == view}
    return found


def others(action: Play, faction: str) -> list[Play]:
    return [action._replace(hero=hero) for hero in DECK if hero[0] == faction]


def was_seen(state: State, viewer: int, place: int) -> bool:
    """Whether the viewer was dealt it, drew it or was the first to take it."""
    if place < 6:
        return place // 3 == viewer
    if place >= 20:
        return state.closed > place - 20 and place % 2 == viewer
    takers = [turn.seat for turn in state.turns if place - 6 in turn.slots]
    return takers[:1] == [viewer]


def test_a_view_that_no_match_has_is_refused() -> None:
    view = plain(KEPT, 0)
    lost = GAME.view_from_plain(view | {"hands": [["R5", "R6", "K7"], view["hands"][1]]})
    with pytest.raises(RulesError):
        GAME.determinize(lost, random.Random(1))
    doubled = GAME.view_from_plain(view | {"hands": [view["hands"][0], ["R?", "B?", "B?", "B?"]]})
    with pytest.raises(RulesError):
        GAME.determinize(doubled, random.Random(1))
