"""Hidden Leaders: Duel: which leader the rival may have, by what it returned and played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, prod
from random import Random

from bots.playouts.hidden_leaders_duel.board import Board
from bots.playouts.hidden_leaders_duel.playout import lays, plays
from bots.playouts.hidden_leaders_duel.standing import way_of
from engine_service.games.hidden_leaders_duel.dealing import dealt
from engine_service.games.hidden_leaders_duel.hidden import guess
from engine_service.games.hidden_leaders_duel.state import Leader, State, View

WORLDS = 12  # in which each leader is tried
MEANT = 1.5  # strength: how much more a choice brings that is made much more often
STRAY = 0.1  # of all choices are made otherwise


class Belief:
    """Draws matches that fit the view of a seat, the rival's leader as likely as it seems."""

    def __init__(self, view: View, seat: int) -> None:
        """Nothing tried yet."""
        self._view = view
        self._seat = seat
        self._leaders = [one for one in view.options.leaders if one != view.leaders[seat]]
        self._chances: list[list[float]] = []  # by leader and choice of the rival, sums over worlds
        self._worlds = 0

    def draw(self, rng: Random) -> State:
        """Each of the first also teaches something."""
        world = guess(self._view, rng)
        if self._worlds < WORLDS:
            self._learn(world)
        weights = list(map(prod, self._chances))
        return self._led(world, rng.choices(self._leaders, weights)[0])

    def _learn(self, world: State) -> None:
        found = chances(world, 1 - self._seat, self._leaders)
        known = self._chances or [[0.0] * len(chances) for chances in found]
        self._chances = [
            [one + more for one, more in zip(sums, chances, strict=True)]
            for sums, chances in zip(known, found, strict=True)
        ]
        self._worlds += 1

    def _led(self, world: State, leader: Leader) -> State:
        own = world.leaders[self._seat]
        return replace(world, leaders=(leader, own) if self._seat else (own, leader))


def chances(world: State, seat: int, leaders: Sequence[Leader]) -> list[list[float]]:
    """By leader that the seat may have: how likely it returned and played each as it did."""
    first = dealt(world.options, world.heroes, world.leaders)
    board = Board(first, [(seat, leader) for leader in leaders])
    hand, found = board.hands[seat], list[list[float]]()
    for turn in world.turns[: world.closed]:
        board.take(turn.slots)
        for at, hero in zip(turn.slots, turn.returned, strict=True):
            if turn.seat == seat:
                way, chosen = way_of(seat, at), hand.index(hero)
                found.append(
                    [_chance({way: lays(board, seen, way)}, way, chosen) for seen in board.seen]
                )
            board.return_(hero, at)
        if turn.seat == seat:
            way, chosen = way_of(seat, turn.target), hand.index(turn.played)
            found.append([_chance(plays(board, seen), way, chosen) for seen in board.seen])
        board.play(turn.played, turn.target)
    return list(map(list, zip(*found, strict=True))) if found else [[] for _ in leaders]


def _chance(gains: Mapping[int, Sequence[float]], way: int, chosen: int) -> float:
    """How likely it is that this one is made, the more it brings."""
    every = [gain for by_hero in gains.values() for gain in by_hero]
    best = max(every)
    total = sum([exp((gain - best) / MEANT) for gain in every])
    return STRAY / len(every) + (1 - STRAY) * exp((gains[way][chosen] - best) / MEANT) / total
