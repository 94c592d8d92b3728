"""Seats that play on go by what they see, and their past tells what they hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any

import pytest

from bots.judges import Credits
from bots.playouts import Playouts, playouts_of
from bots.playouts.hidden_leaders_duel.board import Board
from bots.playouts.hidden_leaders_duel.playout import exchanges, lays, leaning, play_out, plays
from bots.playouts.hidden_leaders_duel.standing import way_of
from bots.search.decision import Finding
from bots.search.guided import Place
from bots.search.rollouts import rollouts
from engine_service.core.game import Game
from tests.bots.asked import SETTINGS, Setting
from tests.bots.tale import Tale

DUELS = [setting for setting in SETTINGS if setting.game.name == "hidden_leaders_duel"]
every_duel = pytest.mark.parametrize("setting", DUELS, ids=str)

# Seat 1 lays one of two coins face down, and seat 0 has to name it.
COIN = Tale({"xx": (1, 2), "xy": (2, 1), "yx": (2, 1), "yy": (1, 2)}, actors=[1, 0], hidden="xy")


def duel_playouts() -> Playouts:
    """That of Hidden Leaders: Duel."""
    found = playouts_of("hidden_leaders_duel")
    assert found is not None
    return found


@every_duel
def test_a_seat_that_plays_on_sees_no_more_than_its_view(setting: Setting) -> None:
    """In every truth that looks the same to it, it takes and lays down for the same reasons."""
    rng = random.Random(1)
    for position in setting.match(2):
        state, seat = position.state, position.actor
        assert seat is not None
        view = setting.game.view(state, seat)
        truths = [state, *(setting.game.determinize(view, rng) for _ in range(3))]
        boards = [Board(truth) for truth in truths]
        assert alike(list(leaning(board).items()) for board in boards)
        if state.step == "take":
            assert alike(exchanges(board) for board in boards)
        elif state.step == "return":
            for way in {way_of(seat, at) for at in state.turns[-1].slots}:
                assert alike(lays(board, board.seen[seat], way) for board in boards)
        elif state.step == "play":
            assert alike(plays(board, board.seen[seat]) for board in boards)


def alike(found: Iterable[object]) -> bool:
    """Whether all are the same."""
    first, *others = found
    return all(other == first for other in others)


@every_duel
def test_a_board_goes_on_as_the_rules_do(setting: Setting) -> None:
    """Who comes to a ply finds it as it lies there, and at the end the same armies."""
    game, rng = setting.game, random.Random(4)
    state = game.deal(bytes(32), game.parse_options(setting.options), setting.seats)
    board = Board(state)
    while legal := game.legal_actions(state):
        action = rng.choice(legal)
        state = game.apply(state, action)
        board.act(action)
        there = Board(state)
        assert lying(board) == lying(there)
        assert list(map(sorted, board.hands)) == list(map(sorted, there.hands))
        assert (board.free, board.vacant, board.pile) == (there.free, there.vacant, there.pile)
    result = game.result(state)
    assert result is not None
    strength, heroes = zip(*board.armies(), strict=True)
    assert list(strength) == result.score["strength"]
    assert list(heroes) == result.score["heroes"]


@every_duel
def test_a_match_is_played_to_its_end(setting: Setting) -> None:
    rng = random.Random(1)
    for position in setting.match(4):
        credits = play_out(Board(position.state), rng)
        assert sum(credits) == pytest.approx(1)
        assert all(0 < credit < 1 for credit in credits)


def lying(board: Board) -> list[list[object]]:
    """By seat and faction the rows and the own Council; who was there may remember more heroes."""
    return [
        [(*rows, outlook.influence, outlook.present) for *rows, outlook in standings]
        for standings in board.seen
    ]


@dataclass
class Told:
    """The board of a tale: its history."""

    tale: Tale
    history: str

    @property
    def actor(self) -> int | None:
        return self.tale.actor(self.history)

    def copy(self) -> Told:
        return Told(self.tale, self.history)

    def act(self, action: int) -> None:
        self.history += chr(action)


def playouts_of_tale(tale: Tale, worlds: Sequence[str], likely: str = "") -> Playouts:
    """Every seat most likely takes an action of `likely`, in a playout always such a one."""

    def leaning(board: Told) -> dict[int, float]:
        legal = tale.legal_actions(board.history)
        return {action: 0.9 if chr(action) in likely else 0.1 for action in legal}

    def play_out(board: Told, rng: random.Random) -> Credits:
        while board.actor is not None:
            board.act(max(leaning(board).items(), key=itemgetter(1))[0])
        return tale.asked("").promise(board.history, rng)

    return Playouts(
        impressions=lambda view, seat, actions: [float(action) for action in actions],
        board=partial(Told, tale),
        leaning=leaning,
        play_out=play_out,
        belief=lambda view, seat: lambda rng: rng.choice(worlds),
    )


@pytest.mark.parametrize("coin", "xy")
def test_the_past_tells_what_is_worth_trying(coin: str) -> None:
    """Whatever looks best at first."""
    decision, playouts = COIN.asked("x"), playouts_of_tale(COIN, coin)
    found = rollouts(decision, playouts, range(5), random.Random(1))
    assert found == Finding(ord(coin), 1.0, 5)


def test_the_worse_half_is_left_out_again_and_again() -> None:
    """Of seven actions the five that look best are tried, then the best three and the best two."""
    endings = dict.fromkeys("abcdefg", (1, 1))
    worth = dict(zip("abcdefg", (0.9, 0.1, 0.5, 0.3, 0.7, 1.0, 1.0), strict=True))
    tried = Counter[str]()

    def play_out(board: Told, rng: random.Random) -> Credits:
        tried[board.history] += 1
        return worth[board.history], 1 - worth[board.history]

    tale = Tale(endings, [0])
    playouts = replace(
        playouts_of_tale(tale, [""]),
        impressions=lambda view, seat, actions: [-float(action) for action in actions],
        play_out=play_out,
    )
    found = rollouts(tale.asked(""), playouts, range(40), random.Random(1))
    assert tried == {"a": 40, "e": 40, "c": 32, "d": 16, "b": 16}
    assert found.action == ord("a")
    assert found.credit == pytest.approx(0.9)


def test_the_tree_finds_what_the_policy_overlooks() -> None:
    """Seat 0 may go on from `a` to a win by `y`, and the policy by `x` to a loss."""
    tale = Tale({"ax": (2, 1), "ay": (1, 2), "b": (1, 1)}, actors=[0, 0])
    playouts = playouts_of_tale(tale, [""], likely="x")
    found = rollouts(tale.asked(""), playouts, range(200), random.Random(1))
    assert found.action == ord("a")
    assert found.credit > 0.7


def test_the_tree_answers_for_a_rival_too() -> None:
    """Its policy would lose by `x`; it has `y`, which wins."""
    tale = Tale({"ax": (1, 2), "ay": (2, 1), "b": (1, 1)}, actors=[0, 1])
    playouts = playouts_of_tale(tale, [""], likely="x")
    found = rollouts(tale.asked(""), playouts, range(200), random.Random(1))
    assert found.action == ord("b")


def test_a_rival_cannot_answer_what_it_does_not_see() -> None:
    """Seat 0 lays one of two coins; seat 1 names it, and cannot be right about both."""
    endings = {"xx": (2, 1), "xy": (1, 2), "yx": (1, 2), "yy": (2, 1), "z": (2, 1)}
    tale = Tale(endings, actors=[0, 1], hidden="xy")
    playouts = playouts_of_tale(tale, [""])
    found = rollouts(tale.asked(""), playouts, range(200), random.Random(1))
    assert chr(found.action) in "xy"
    assert found.credit > 0.4


def test_an_action_counts_only_while_it_was_available() -> None:
    """Of two that brought the same, the one that was rarely there has been tried enough."""
    place = Place()
    for action, available in ((0, 3), (1, 60)):
        child = place.child(action)
        child.visits, child.total, child.available = 2, 1.0, available
    place.chosen, place.brought = 4, 2.0
    assert place.choose({0: 0.5, 1: 0.5}) == 1


def test_what_a_rival_did_tells_its_leader() -> None:
    """Greedy plays for its leader, of six that there are; after half a match that shows."""
    game = DUELS[0].game
    hits, rng = 0, random.Random(1)
    for number in range(2):
        state = half_a_match(game, number)
        draw = duel_playouts().belief(game.view(state, 0), 0)
        drawn = [draw(rng) for _ in range(20)]
        assert all(game.view(world, 0) == game.view(state, 0) for world in drawn)
        hits += sum(world.leaders[1] == state.leaders[1] for world in drawn)
    assert hits > 0.4 * 40


def half_a_match(game: Game, number: int) -> Any:
    """Of greedy against itself, seat 0 to act."""
    state = game.deal(bytes([number]) * 32, game.parse_options({}), 2)
    for _ in range(24):
        seat, legal = game.actor(state), game.legal_actions(state)
        assert seat is not None
        worth = duel_playouts().impressions(game.view(state, seat), seat, legal)
        state = game.apply(state, legal[worth.index(max(worth))])
    return state
