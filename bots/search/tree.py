"""Nodes of a tree over what seats saw, and which action a node tries next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random

from bots.search.notation import Key, Notation, Words

EXPLORATION = 0.7
WIDTH = 2.0  # at its n-th choice a node considers WIDTH * sqrt(n) actions
CONTENDERS = 8  # drawn from the untried actions, of which the most promising is tried
TRUST = 3.0  # visits that the promise of an action is worth
EVEN = 0.5


class Node:
    """What some seats saw alike.

    `visits` and `total` (credit) belong to the seat that chose to come here, `available` is how
    often it could have. `choices` are those made here, `words` their credit word by word.
    """

    __slots__ = ("available", "children", "choices", "gained", "total", "visits", "words")

    def __init__(self) -> None:
        """Nothing tried yet."""
        self.children: dict[Key, Node] = {}
        self.words: dict[int, tuple[int, float]] = {}
        self.choices = 0
        self.gained = 0.0
        self.available = 0
        self.visits = 0
        self.total = 0.0

    def child(self, key: Key) -> Node:
        """The node behind a key, a new one when nobody came by."""
        if (found := self.children.get(key)) is None:
            found = self.children[key] = Node()
        return found

    def choose(self, legal: Sequence[int], notation: Notation, rng: Random) -> int:
        """A new action while the node may widen, else the tried one with the highest bound."""
        children = self.children
        tried = [action for action in legal if action in children]
        for action in tried:
            children[action].available += 1
        if len(tried) < min(len(legal), WIDTH * sqrt(self.choices + 1)):
            action = self._fresh(legal, notation, rng)
            self.child(action).available = 1
            return action
        if len(tried) == 1:
            return tried[0]
        promise = self._promises(notation)
        return max(tried, key=lambda action: children[action].bound(promise(action)))

    def bound(self, promise: float) -> float:
        """The upper confidence bound; an action counts only while it was available."""
        mean = (self.total + TRUST * promise) / (self.visits + TRUST)
        return mean + EXPLORATION * sqrt(log(self.available) / self.visits)

    def learn(self, words: Words, credit: float) -> None:
        """Count a choice that was made here."""
        self.choices += 1
        self.gained += credit
        for word in words:
            count, total = self.words.get(word, (0, 0.0))
            self.words[word] = count + 1, total + credit

    def _fresh(self, legal: Sequence[int], notation: Notation, rng: Random) -> int:
        """The most promising of some untried actions."""
        untried = [action for action in legal if action not in self.children]
        if len(untried) == 1:
            return untried[0]
        drawn = [untried[int(rng.random() * len(untried))] for _ in range(CONTENDERS)]
        return max(drawn, key=self._promises(notation))

    def _promises(self, notation: Notation) -> Callable[[int], float]:
        """What the words of an action brought here, on average; a new word what is usual."""
        usual = self.gained / self.choices if self.choices else EVEN
        worth = {word: (total + usual) / (n + 1) for word, (n, total) in self.words.items()}
        words_of = notation.words

        def promise(action: int) -> float:
            words = words_of(action)
            return sum([worth.get(word, usual) for word in words]) / len(words)

        return promise
