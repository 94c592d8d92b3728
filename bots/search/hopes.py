"""What a node hopes of actions that it has not tried, or hardly: by a judge, or by their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from bots.search.notation import Notation

Ahead = Callable[[int], float]  # what a judge expects to gain by an action in the present world


class Hopes(Protocol):
    """One for each node; hopes are gains, 0 is what the world promised anyhow."""

    width: float
    """At its n-th choice a node considers width * sqrt(n) actions."""
    exploration: float
    """How wide the bounds are: judgements differ by less than the ends of playouts."""

    @property
    def trust(self) -> float:
        """Visits that a hope is worth."""
        ...

    def anew(self) -> Hopes:
        """For another node, of which nothing is known."""
        ...

    def first(self, untried: Sequence[int], ahead: Ahead, rng: Random) -> int:
        """The one to try of several, or of a single one."""
        ...

    def of_tried(self) -> Callable[[int], float]:
        """What is hoped of an action that was tried."""
        ...

    def learn(self, action: int, gain: float) -> None:
        """An action was chosen, and this came of it."""
        ...


class Judged(Hopes):
    """Each action in the world in which it was first looked at, or the mean of several worlds."""

    width = 1.0
    exploration = 0.1
    contenders = 12  # looked at before one is tried

    def __init__(self) -> None:
        """Nothing looked at yet."""
        self._gains: dict[int, float] = {}
        self._worlds = 0

    @property
    def trust(self) -> float:
        """The more worlds, the more."""
        return 3.0 + self._worlds

    def weigh(self, gains: Mapping[int, float]) -> None:
        """Take in what all actions gain in one world more."""
        known, worlds = self._gains, self._worlds
        for action, gain in gains.items():
            known[action] = (known.get(action, 0.0) * worlds + gain) / (worlds + 1)
        self._worlds = worlds + 1

    def anew(self) -> Judged:
        """For another node."""
        return Judged()

    def first(self, untried: Sequence[int], ahead: Ahead, rng: Random) -> int:
        """Some are looked at; the best of all that ever were."""
        gains = self._gains
        strange = [action for action in untried if action not in gains]
        if len(strange) > self.contenders:
            strange = [strange[int(rng.random() * len(strange))] for _ in range(self.contenders)]
        for action in strange:
            if action not in gains:
                gains[action] = ahead(action)
        return max((action for action in untried if action in gains), key=gains.__getitem__)

    def of_tried(self) -> Callable[[int], float]:
        """As it was judged; one that another seat tried here is hoped to gain nothing."""
        gains = self._gains
        return lambda action: gains.get(action, 0.0)

    def learn(self, action: int, gain: float) -> None:
        """A judgement stays."""


class Worded(Hopes):
    """By the words of the notation: others that share them were tried, and brought something."""

    width = 2.0
    exploration = 0.7
    trust = 3.0
    contenders = 8  # drawn, of which the most promising is tried

    def __init__(self, notation: Notation) -> None:
        """No word heard yet."""
        self._notation = notation
        self._words: dict[int, tuple[int, float]] = {}  # how often, and the sum of gains
        self._choices = 0
        self._gained = 0.0

    def anew(self) -> Worded:
        """For another node."""
        return Worded(self._notation)

    def first(self, untried: Sequence[int], ahead: Ahead, rng: Random) -> int:
        """The most promising of some."""
        if len(untried) == 1:
            return untried[0]
        drawn = [untried[int(rng.random() * len(untried))] for _ in range(self.contenders)]
        return max(drawn, key=self.of_tried())

    def of_tried(self) -> Callable[[int], float]:
        """What the words of an action brought here, on average; a new word what is usual."""
        usual = self._gained / self._choices if self._choices else 0.0
        worth = {word: (total + usual) / (n + 1) for word, (n, total) in self._words.items()}
        words_of = self._notation.words

        def hope(action: int) -> float:
            words = words_of(action)
            return sum([worth.get(word, usual) for word in words]) / len(words)

        return hope

    def learn(self, action: int, gain: float) -> None:
        """Count it for each of its words."""
        self._choices += 1
        self._gained += gain
        for word in self._notation.words(action):
            count, total = self._words.get(word, (0, 0.0))
            self._words[word] = count + 1, total + gain
