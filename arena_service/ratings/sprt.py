"""Is the first side stronger? A generalised sequential probability ratio test on pairs.

The two hypotheses are values of normalised Elo. Pairs are looked at in the order of their numbers,
each once it and all before it are whole, so that no quick win and no fast worker decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import exp, log, sqrt

from arena_service.ratings.pentanomial import NELO, POINTS, SHARES, Pentanomial

_STEPS = 50
_STEEPEST, _HALVINGS = 200.0, 40
_ENOUGH = 1e-10


class Verdict(StrEnum):
    """What a test says; `stronger`: by elo1 rather than by elo0."""

    OPEN = "open"
    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"


@dataclass(frozen=True)
class Look:
    """A test after some pairs.

    `looked` pairs were looked at: until a bound was reached, or a pair came that is not whole.
    `llr` and `verdict` are of them. `pairs` counts all that are whole, `llr_of_all` is theirs:
    those that were still played at the bound change nothing. `path`: the ratio after each pair that
    was looked at.
    """

    looked: int
    llr: float
    verdict: Verdict
    pairs: int
    llr_of_all: float
    path: tuple[float, ...] = ()


@dataclass(frozen=True)
class Sprt:
    """`elo0` < `elo1`, in normalised Elo; `alpha` and `beta`: how often each error may happen."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raise ValueError for values that make no test."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo1: expected more than {self.elo0}, got {self.elo1}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < value < 0.5:
                raise ValueError(f"{name}: expected more than 0 and less than 0.5, got {value}")

    @property
    def lower(self) -> float:
        """At or below it the first side is not stronger."""
        return log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above it the first side is stronger."""
        return log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Pentanomial) -> float:
        """The log-likelihood ratio of elo1 against elo0; without pairs 0."""
        return _llr(self.elo0, self.elo1, counts) if counts.pairs else 0.0

    def verdict(self, llr: float) -> Verdict:
        """What a ratio alone says."""
        if llr >= self.upper:
            return Verdict.STRONGER
        return Verdict.NOT_STRONGER if llr <= self.lower else Verdict.OPEN

    def look(self, points: Iterable[float | None]) -> Look:
        """The test after these pairs: the points of the first side by the number of the pair.

        None: the pair is not whole. Raises ValueError for points that two matches cannot give.
        """
        counts, path = [0] * len(POINTS), [0.0]
        verdict, is_open = Verdict.OPEN, True
        for taken in points:
            is_open = is_open and taken is not None
            if taken is None:
                continue
            counts[POINTS.index(taken)] += 1
            if is_open:
                path.append(self.llr(_counted(counts)))
                verdict = self.verdict(path[-1])
                is_open = verdict is Verdict.OPEN
        looked, of_all = len(path) - 1, self.llr(_counted(counts))
        return Look(looked, path[-1], verdict, sum(counts), of_all, tuple(path[1:]))


@lru_cache(maxsize=8192)
def _llr(elo0: float, elo1: float, counts: Pentanomial) -> float:
    """Kept: whoever looks again at a test has looked at its first pairs before."""
    weights = counts.regular()
    likely = [_most_likely(weights, sqrt(2.0) * elo / NELO) for elo in (elo0, elo1)]
    ratios = (log(one / zero) for zero, one in zip(*likely, strict=True))
    return sum(weight * ratio for weight, ratio in zip(weights, ratios, strict=True))


def _counted(counts: Sequence[int]) -> Pentanomial:
    a, b, c, d, e = counts
    return Pentanomial((a, b, c, d, e))


def _most_likely(weights: Sequence[float], t: float) -> list[float]:
    """The likeliest chances of the cells whose mean leads 1/2 by `t` standard deviations of a pair.

    With a multiplier x for the constraint the chances are w / (1 + x g), where g is the slope of
    (mean - 1/2) - t * deviation in the chance of each cell, taken at the chances before.
    """
    total = sum(weights)
    given = [weight / total for weight in weights]
    chances = _tilted(given, t)
    for _ in range(_STEPS):
        mean, deviation = _moments(chances)
        slopes = [
            share - 0.5 - t * (deviation + (share - mean) ** 2 / deviation) / 2 for share in SHARES
        ]
        x = _multiplier(given, slopes)
        before = chances
        chances = [p / (1.0 + x * slope) for p, slope in zip(given, slopes, strict=True)]
        if max(abs(p - q) for p, q in zip(chances, before, strict=True)) < _ENOUGH:
            break
    return chances


def _tilted(given: Sequence[float], t: float) -> list[float]:
    """Chances that keep the constraint, to begin with: w exp(a share), the right a by halving.

    Of those that do not keep it the slopes may all have one sign.
    """
    low, high = -_STEEPEST, _STEEPEST
    for _ in range(_HALVINGS):
        steep = (low + high) / 2
        raised = [
            p * exp(steep * (share - 0.5) - abs(steep) / 2)
            for p, share in zip(given, SHARES, strict=True)
        ]
        chances = [p / sum(raised) for p in raised]
        mean, deviation = _moments(chances)
        low, high = (steep, high) if mean - 0.5 < t * deviation else (low, steep)
    return chances


def _moments(chances: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a pair."""
    mean = sum(p * share for p, share in zip(chances, SHARES, strict=True))
    variance = sum(p * (share - mean) ** 2 for p, share in zip(chances, SHARES, strict=True))
    return mean, sqrt(variance)


def _multiplier(given: Sequence[float], slopes: Sequence[float]) -> float:
    """Where the sum of w g / (1 + x g) is 0, by halving: it falls all the way.

    The chances add up to 1 there, so that no 1 + x g is less than its w.
    """
    poles = list(zip(given, slopes, strict=True))
    low = max((p - 1.0) / slope for p, slope in poles if slope > 0)
    high = min((p - 1.0) / slope for p, slope in poles if slope < 0)
    while True:
        x = (low + high) / 2
        if x in (low, high):
            return x
        rest = sum(p * slope / (1.0 + x * slope) for p, slope in poles)
        low, high = (x, high) if rest > 0 else (low, x)
