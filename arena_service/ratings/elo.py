"""Credits as differences in Elo: a number where there is one, else what it is at least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from arena_service.figures import signed
from arena_service.ratings.fit import ELO
from arena_service.ratings.pairs import interval


@dataclass(frozen=True)
class Elo:
    """A difference and where it lies with 95 %; None: no number, it is without bound."""

    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """In words for people, rounded to whole points."""
        low, high, value = self.low, self.high, self.value
        if low is not None and high is not None and value is not None:
            return f"{signed(value)} [{signed(low)}, {signed(high)}]"
        if low is not None:
            return f"at least {signed(low)}"
        return "unknown" if high is None else f"at most {signed(high)}"


def elo_of(credit: float) -> float | None:
    """The difference at which a side expects this credit (0 to 1); None at both ends."""
    return ELO * log(credit / (1.0 - credit)) if 0.0 < credit < 1.0 else None


def credit_of(elo: float) -> float:
    """What a side expects that is stronger by so much."""
    return 1.0 / (1.0 + exp(-elo / ELO))


def elo(means: Sequence[float]) -> Elo:
    """Of a side's pair means (each from 0 to 1)."""
    found = interval(means)
    return Elo(elo_of(found.mean), elo_of(found.low), elo_of(found.high))
