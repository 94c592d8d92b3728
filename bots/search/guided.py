"""A tree below the actions of a decision that follows a policy until visits say otherwise.

Every seat has its own place in it, by the actions as it was told of them, as in `ismcts.py`. A
place is a leaf at its first visits. Then PUCT chooses (Rosin 2011, Silver et al. 2016): by the mean
of what an action brought, and the more readily the likelier the policy makes it there. An action
counts only while it was available (Cowling, Powley and Whitehouse 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from bots.judges import Credits
from bots.playouts import Board, Playouts
from bots.search.notation import Key, Notation

PATIENCE = 16  # visits of a place before it has a choice
TRUST = 3.0  # visits that the mean of all actions of a place is worth for each of them
EXPLORATION = 0.1  # of what the policy thinks likely


class Step(NamedTuple):
    """On the way down `seat` went from `parent` to `child`."""

    parent: Place
    child: Place
    seat: int


class Place:
    """What some seats were told alike; `visits` and `total` belong to the seat that chose it."""

    __slots__ = ("arrivals", "available", "brought", "children", "chosen", "total", "visits")

    def __init__(self) -> None:
        """Nobody was here."""
        self.children: dict[Key, Place] = {}
        self.arrivals = 0  # of the seat that is to act here
        self.chosen = 0  # how often it chose, and what that brought
        self.brought = 0.0
        self.available = 0
        self.visits = 0
        self.total = 0.0

    def child(self, key: Key) -> Place:
        """The place behind a key, a new one when nobody came by."""
        if (found := self.children.get(key)) is None:
            found = self.children[key] = Place()
        return found

    def choose(self, leaning: Mapping[int, float]) -> int:
        """The action with the highest bound; `leaning` has the policy's chance of each."""
        usual = TRUST * (self.brought / self.chosen if self.chosen else 0.5)
        best, highest = -1, -1.0
        for action, chance in leaning.items():
            child = self.child(action)
            child.available += 1
            mean = (child.total + usual) / (child.visits + TRUST)
            bound = mean + EXPLORATION * chance * sqrt(child.available) / (1 + child.visits)
            if bound > highest:
                best, highest = action, bound
        return best


class Tree:
    """Below the contenders of one decision."""

    def __init__(self, playouts: Playouts, notation: Notation, seats: int) -> None:
        """Nothing but a root."""
        self._playouts = playouts
        self._notation = notation
        self._root: Sequence[Place] = [Place() for _ in range(seats)]

    def walk(self, board: Board, action: int, rng: Random) -> Credits:
        """Take the action on that board, go down as far as the tree goes, and play out."""
        places, steps = self._after(self._root, board, action), list[Step]()
        while (seat := board.actor) is not None:
            parent = places[seat]
            parent.arrivals += 1
            if parent.arrivals <= PATIENCE:
                break
            places = self._after(places, board, parent.choose(self._playouts.leaning(board)))
            steps.append(Step(parent, places[seat], seat))
        credits = self._playouts.play_out(board, rng)
        for parent, child, seat in steps:
            parent.chosen += 1
            parent.brought += credits[seat]
            child.visits += 1
            child.total += credits[seat]
        return credits

    def _after(self, places: Sequence[Place], board: Board, action: int) -> Sequence[Place]:
        seat = board.actor
        assert seat is not None, "who chose an action was to act"
        board.act(action)
        keys = self._notation.keys(action, seat)
        return [place.child(key) for place, key in zip(places, keys, strict=True)]
