"""Mean credit with its interval, from the means of pairs: legs of a pair are not independent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from scipy.special import stdtr, stdtrit

# What is assumed beside the data: one pair at 1/2 with the largest spread a pair mean can have.
# It keeps the interval wide after few pairs and after ten wins of ten; it fades like 1/n.
_PRIOR_PAIRS = 1.0
_PRIOR_VARIANCE = 0.25
_LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean credit and where the true one lies with 95 %; all from 0 to 1, always finite."""

    mean: float
    low: float
    high: float


def interval(means: Iterable[float]) -> Interval:
    """The interval of a version's pair means (each from 0 to 1); without any: all of 0 to 1."""
    return interval_of(Counter(means))


def interval_of(counts: Mapping[float, int]) -> Interval:
    """The same where it is known how many pairs have each mean: there are few different ones."""
    count = sum(counts.values())
    if count == 0:
        return Interval(0.5, 0.0, 1.0)
    mean = _total(counts) / count
    centre, error = _centre(counts)
    reach = float(stdtrit(count, 0.5 + _LEVEL / 2)) * error
    low, high = max(0.0, centre - reach), min(1.0, centre + reach)
    return Interval(mean, min(low, mean), max(high, mean))


def superiority(means: Sequence[float]) -> float:
    """How likely the true mean of these pairs is above 1/2: 0 to 1, without any 1/2."""
    if not means:
        return 0.5
    centre, error = _centre(Counter(means))
    return float(stdtr(len(means), (centre - 0.5) / error))


def _total(counts: Mapping[float, int]) -> float:
    """In one order, whatever the order of the pairs."""
    return sum(value * counts[value] for value in sorted(counts))


def _centre(counts: Mapping[float, int]) -> tuple[float, float]:
    """The mean with what is assumed, and its standard error; at least one pair is there."""
    weight = sum(counts.values()) + _PRIOR_PAIRS
    centre = (_total(counts) + 0.5 * _PRIOR_PAIRS) / weight
    spread = sum((value - centre) ** 2 * counts[value] for value in sorted(counts))
    variance = (spread + _PRIOR_PAIRS * (_PRIOR_VARIANCE + (0.5 - centre) ** 2)) / weight
    return centre, sqrt(variance / weight)
