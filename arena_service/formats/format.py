"""What a format of tournaments decides: who meets whom, round by round.

A format is pure: from the field, the rounds before and the draws of the key it gives the next
round, so that an audit repeats every round from what is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from arena_service.ratings.sprt import Sprt

T = TypeVar("T")
Group = tuple[str, ...]


class Draw(Protocol):
    """Random numbers that anybody can repeat once the key is public."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place."""


Draws = Callable[[str], Draw]


class Extends(StrEnum):
    """What can be added to a tournament that runs."""

    PAIRS = "pairs"
    ROUNDS = "rounds"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Departure:
    """An entrant that left when `round` was the round planned last."""

    entrant: str
    round: int
    disqualified: bool


@dataclass(frozen=True)
class Field:
    """Who plays and on what terms; `rounds` at most (0: as many as the format needs).

    `entrants` is sorted, `seeding` holds them best first. `pairs` of a group in a round, of a test
    with a stopping rule (`sprt`) and of a final run at most in all. What a format does not ask for
    is empty.
    """

    entrants: tuple[str, ...]
    seats: int
    rounds: int = 0
    seeding: tuple[str, ...] = ()
    challengers: frozenset[str] = frozenset()
    departures: tuple[Departure, ...] = ()
    pairs: int = 0
    sprt: Sprt | None = None

    def after(self, rounds: int) -> Field:
        """As it was known when so many rounds had been planned and no more."""
        return replace(self, departures=tuple(d for d in self.departures if d.round <= rounds))

    @property
    def left(self) -> frozenset[str]:
        """Who plays no more."""
        return frozenset(departure.entrant for departure in self.departures)

    @property
    def disqualified(self) -> frozenset[str]:
        """Whose results count for nobody."""
        return frozenset(each.entrant for each in self.departures if each.disqualified)

    @property
    def remaining(self) -> list[str]:
        """Who still plays, sorted."""
        return [entrant for entrant in self.entrants if entrant not in self.left]


@dataclass(frozen=True)
class Encounter:
    """A group of a round with what it played.

    `credits` are sums over the legs of the pairs that count, by place in the group. `whole`: none
    of its matches was cancelled. `shares`: of each pair that counts, in the order of their
    numbers, what each place got in all legs together.
    """

    group: Group
    credits: tuple[float, ...]
    pairs: int
    whole: bool = True
    shares: tuple[tuple[float, ...], ...] = ()

    @property
    def taken(self) -> tuple[float, ...]:
        """What the first of the group got in each of those pairs."""
        return tuple(each[0] for each in self.shares)


@dataclass(frozen=True)
class Round:
    """What was planned together, in the order of the plan; `byes`: who had nobody to meet.

    `pairs` of each group were planned.
    """

    encounters: tuple[Encounter, ...]
    byes: tuple[str, ...] = ()
    pairs: int = 0


@dataclass(frozen=True)
class Pairing:
    """The next round; a group is who meets, in the order of their seats in leg 0.

    `pairs` of each group; 0: as many as the tournament says.
    """

    groups: tuple[Group, ...]
    byes: tuple[str, ...] = ()
    pairs: int = 0


@dataclass(frozen=True)
class Line:
    """A line of a format's own table; equals share a rank.

    `tie_breaks` by name, in the order in which they count.
    """

    rank: int
    entrant: str
    points: float
    tie_breaks: tuple[tuple[str, float], ...]


class Format(Protocol):
    """A way to hold a tournament."""

    two_seats: bool  # it tells winners from losers of two
    rated: bool  # it gives ratings, and faults in it count against a version
    at_most: int | None  # so many entrants
    extends: Extends

    def rounds(self, entrants: int, asked: int) -> int:
        """How many rounds so many entrants play when `asked` were wished for (0: none were)."""

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """How many groups that makes over the whole tournament at most; play-offs come on top."""

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """The round after those of `history`, whose matches have all ended; None: it is over.

        `draws` gives the numbers of one purpose.
        """

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """Who stands where by the rules of the format, best first; empty: strength alone tells."""


def purpose(history: Sequence[Round]) -> str:
    """What the draw of the next round is called: pairing-1, pairing-2, ..."""
    return f"pairing-{len(history) + 1}"
