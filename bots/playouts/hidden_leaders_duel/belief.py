"""Hidden Leaders: Duel: which leader the rival may have, by what it returned and played."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from random import Random

from bots.playouts.hidden_leaders_duel.playout import Playout
from engine_service.games.hidden_leaders_duel.dealing import dealt
from engine_service.games.hidden_leaders_duel.hidden import guess
from engine_service.games.hidden_leaders_duel.state import Leader, State, View

WORLDS = 12  # in which each leader is tried


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
        turns = world.turns[: world.closed]
        found = []
        for leader in self._leaders:
            led = self._led(world, leader)
            first = Playout(dealt(led.options, led.heroes, led.leaders), Random(0))
            found.append(first.chances(turns, 1 - self._seat))
        known = self._chances or [[0.0] * len(chances) for chances in found]
        self._chances = [
            [one + more for one, more in zip(sums, chances, strict=True)]
            for sums, chances in zip(known, found, strict=True)
        ]
        self._worlds += 1

    def _led(self, world: State, leader: Leader) -> State:
        own = world.leaders[self._seat]
        return replace(world, leaders=(leader, own) if self._seat else (own, leader))
