"""The worked examples of the rules: L leads (seat 0 unless said otherwise), F answers."""

from dataclasses import dataclass

import pytest

from engine_service.games.claim import cards as c
from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import (
    DECK_START,
    NO_CARDS,
    PHASE_PLIES,
    PLIES,
    Options,
    State,
)


def cards(text: str) -> int:
    return c.collect(c.card_ids(text.split()))


def trick(
    phase: int, lead: str, answer: str, prize: str = "K3", blind: str = "D1", leader: int = 0
) -> State:
    """Before the lead: one card in each hand, and the first prize and blind card of the phase."""
    hands = (lead, answer) if leader == 0 else (answer, lead)
    deck = c.card_ids([prize, blind])
    plays = () if phase == 1 else (c.G0,) * PHASE_PLIES
    leaders = (leader,) if phase == 1 else (0,) * (PHASE_PLIES // 2) + (leader,)
    piles = (cards(hands[0]), cards(hands[1]))
    dealt = (c.G0,) * DECK_START + deck
    return State(Options(), dealt, piles, NO_CARDS, NO_CARDS, plays, leaders)


@dataclass(frozen=True)
class Outcome:
    """What stands after the trick, L and F in this order."""

    winner: str
    followers: tuple[str, str]
    scored: tuple[str, str]


def play(state: State, *names: str) -> State:
    for name in names:
        assert c.card_id(name) in GAME.legal_actions(state)
        state = GAME.apply(state, c.card_id(name))
    return state


def outcome(state: State, leader: int) -> Outcome:
    def text(piles: tuple[int, int]) -> tuple[str, str]:
        ordered = piles if leader == 0 else piles[::-1]
        return (
            " ".join(c.card_names(c.members(ordered[0]))),
            " ".join(c.card_names(c.members(ordered[1]))),
        )

    winner = "L" if state.leaders[-1] == leader else "F"
    return Outcome(winner, text(state.followers), text(state.scored))


RECRUITING = [
    (1, "U4", "U7", "K3", Outcome("F", ("D1", "K3"), ("", "U4 U7"))),
    (2, "U4", "G9", "K3", Outcome("L", ("K3", "D1"), ("U4", ""))),
    (3, "G9", "K2", "K3", Outcome("F", ("D1", "K3"), ("", ""))),
    (4, "K2", "G9", "K3", Outcome("L", ("K3", "D1"), ("", ""))),
    (5, "G0", "G0", "K3", Outcome("L", ("K3", "D1"), ("", ""))),
    (15, "D2", "X9", "U8", Outcome("F", ("D1", "U8"), ("", ""))),
    (16, "X4", "U9", "K3", Outcome("L", ("K3", "D1"), ("U9", ""))),
    (17, "U3", "X8", "K3", Outcome("F", ("D1", "K3"), ("", "U3"))),
]


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("number", "lead", "answer", "prize", "expected"), RECRUITING)
def test_a_trick_of_phase_1(
    number: int, lead: str, answer: str, prize: str, expected: Outcome, leader: int
) -> None:
    after = play(trick(1, lead, answer, prize, leader=leader), lead, answer)
    assert outcome(after, leader) == expected
    assert GAME.actor(after) == after.leaders[-1]


GATHERING = [
    (6, "D5", "X5", "L", ("X5", "D5")),
    (7, "D5", "X6", "F", ("D5", "X6")),
    (18, "D9", "D4", "L", ("", "D4 D9")),
    (19, "U8", "D2", "L", ("U8", "D2")),
    (20, "D7", "K9", "L", ("K9", "D7")),
    (21, "G1", "K2", "F", ("", "G1 K2")),
]


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("number", "lead", "answer", "winner", "scored"), GATHERING)
def test_a_trick_of_phase_2(
    number: int, lead: str, answer: str, winner: str, scored: tuple[str, str], leader: int
) -> None:
    after = play(trick(2, lead, answer, leader=leader), lead, answer)
    assert outcome(after, leader) == Outcome(winner, ("", ""), scored)
    assert GAME.actor(after) == after.leaders[-1]


ANSWERS = [
    (8, "X3", "K9 X1", "X1", {"X1": "L"}),
    (9, "X3", "K9", "K9", {"K9": "L"}),
    (10, "K4", "K2 X7", "K2 X7", {"K2": "L", "X7": "F"}),
    (11, "G6", "X2", "X2", {"X2": "L"}),
    (12, "G5", "G0 K9 U1 X3", "G0 X3", {"G0": "L", "X3": "L"}),
    (13, "G5", "K9 U1 X3", "K9 U1 X3", {"K9": "F", "X3": "L", "U1": "L"}),
    (14, "X8", "G3 U1", "G3 U1", {"G3": "L", "U1": "L"}),
]


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(("number", "lead", "hand", "legal", "winners"), ANSWERS)
def test_what_may_answer_and_who_wins(
    number: int, lead: str, hand: str, legal: str, winners: dict[str, str], phase: int
) -> None:
    led = play(trick(phase, lead, hand), lead)
    assert c.card_names(GAME.legal_actions(led)) == legal.split()
    for answer, winner in winners.items():
        assert outcome(play(led, answer), 0).winner == winner


def final(first: str, second: str) -> State:
    """Two score piles at the end of a match; the other cards do not matter."""
    piles = (cards(first), cards(second))
    plays, leaders = (c.G0,) * PLIES, (0,) * 27
    return State(Options(), c.DECK, NO_CARDS, NO_CARDS, piles, plays, leaders)


VOTES = [
    (22, "U0 U1 U2 U3 U9", "U4 U5 U6 U7 U8", "U", 0),
    (22, "U4 U5 U6 U7 U8", "U0 U1 U2 U3 U9", "U", 1),
    (23, "G0 G0", "G0 G1", "G", 1),
    (24, "G0", "G0", "G", -1),
    (24, "G0 G0", "G0 G0", "G", -1),
    (26, "D8 D9", "D0 D1 D2", "D", 1),
    (25, "", "", "K", -1),
    (23, "G0 G0 G0 G1", "G0 G0 G2 G3", "G", 1),
    (23, "G0 G0 G0 G0", "G0 G1 G2", "G", 0),
]


@pytest.mark.parametrize(("number", "first", "second", "faction", "seat"), VOTES)
def test_votes(number: int, first: str, second: str, faction: str, seat: int) -> None:
    votes = GAME.view(final(first, second), "spectator").votes
    assert votes[c.FACTIONS.index(faction)] == seat


def test_example_25_two_votes_each_is_a_draw() -> None:
    result = GAME.result(final("G1 U1 D1 X1 U2 D3", "G2 D2 X2 G3 X3"))
    assert result is not None
    assert result.score["votes"] == [2, 2]
    assert result.score["cards"] == {
        "G": [1, 2],
        "K": [0, 0],
        "U": [2, 0],
        "D": [2, 1],
        "X": [1, 2],
    }
    assert result.ranks == (1, 1)


@pytest.mark.parametrize(("first", "second", "ranks"), [("U1 K2", "", (1, 2)), ("", "U1", (2, 1))])
def test_more_votes_win(first: str, second: str, ranks: tuple[int, int]) -> None:
    result = GAME.result(final(first, second))
    assert result is not None
    assert result.ranks == ranks


@pytest.mark.parametrize("last_winner", [0, 1])
def test_example_27_the_winner_of_trick_13_leads_phase_2(last_winner: int) -> None:
    state = GAME.deal(bytes(32), Options(), 2)
    lead, answer = ("K9", "K2") if last_winner == 0 else ("K2", "K9")
    state = State(
        state.options,
        state.cards,
        (cards(lead), cards(answer)),
        (cards("U1"), cards("D1")),
        NO_CARDS,
        (c.G0,) * (PHASE_PLIES - 2),
        (0,) * 13,
    )
    after = play(state, lead, answer)
    assert GAME.actor(after) == last_winner
    prize, blind = (c.UNIT[card] for card in state.cards[-2:])
    gains = (prize, blind) if last_winner == 0 else (blind, prize)
    assert after.hands == (cards("U1") + gains[0], cards("D1") + gains[1])
    assert after.followers == NO_CARDS
