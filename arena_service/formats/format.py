"""What a format of tournaments decides: who meets whom."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
Group = tuple[str, ...]


class Draw(Protocol):
    """Random numbers that anybody can repeat once the key is public."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place."""


Draws = Callable[[str], Draw]


class Format(Protocol):
    """A way to hold a tournament; a group is who meets, in the order of their seats in leg 0."""

    def size(self, entrants: int, seats: int) -> int:
        """How many groups so many entrants make, over the whole tournament at most."""

    def start(self, entrants: Sequence[str], seats: int, draws: Draws) -> list[Group]:
        """The groups that are planned when the entries close, in the order of play.

        `draws` gives the numbers of one purpose.
        """
