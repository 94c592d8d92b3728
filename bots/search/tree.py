"""Nodes of a tree over the actions as seats were told of them, and which one a node tries next.

Credits are counted as gains: what a walk brought more than its world had promised, which leaves out
whose luck the world was.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random

from bots.search.hopes import Ahead, Hopes
from bots.search.notation import Key


class Node:
    """What some seats were told alike.

    `visits` and `total` (gains) belong to the seat that chose to come here, `available` is how
    often it could have; `choices` is how many were made here.
    """

    __slots__ = ("available", "children", "choices", "hopes", "total", "visits")

    def __init__(self, hopes: Hopes) -> None:
        """Nothing tried yet."""
        self.children: dict[Key, Node] = {}
        self.hopes = hopes
        self.choices = 0
        self.available = 0
        self.visits = 0
        self.total = 0.0

    def child(self, key: Key) -> Node:
        """The node behind a key, a new one when nobody came by."""
        if (found := self.children.get(key)) is None:
            found = self.children[key] = Node(self.hopes.anew())
        return found

    def choose(self, legal: Sequence[int], ahead: Ahead, rng: Random) -> int:
        """A new action while the node may widen, else the tried one with the highest bound."""
        children = self.children
        if len(legal) == 1:
            self.child(legal[0]).available += 1
            return legal[0]
        tried = [action for action in legal if action in children]
        for action in tried:
            children[action].available += 1
        if len(tried) < min(len(legal), self.hopes.width * sqrt(self.choices + 1)):
            untried = [action for action in legal if action not in children]
            action = self.hopes.first(untried, ahead, rng)
            self.child(action).available = 1
            return action
        if len(tried) == 1:
            return tried[0]
        hopes, hope = self.hopes, self.hopes.of_tried()
        trust, exploration = hopes.trust, hopes.exploration
        return max(tried, key=lambda at: children[at].bound(hope(at), trust, exploration))

    def best(self, actions: Sequence[int]) -> int:
        """The most visited one, of equals the one that brought more."""
        children = self.children
        tried = [action for action in actions if action in children]
        return max(tried, key=lambda at: (children[at].visits, children[at].total))

    def bound(self, hope: float, trust: float, exploration: float) -> float:
        """The upper confidence bound; an action counts only while it was available."""
        mean = (self.total + trust * hope) / (self.visits + trust)
        return mean + exploration * sqrt(log(self.available) / self.visits)

    def learn(self, action: int, gain: float) -> None:
        """Count a choice that was made here."""
        self.choices += 1
        self.hopes.learn(action, gain)
