"""Who is surely ahead of whom, by the credit that they took from the same field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

from scipy.special import stdtrit

# What is assumed beside the data, as for the interval of one entrant: one pair at 1/2 with the
# largest spread that the mean of a pair can have.
_PRIOR_MEAN, _PRIOR_SPREAD = 0.5, 0.25
_DIGITS = 9  # so far every machine computes the same


class _Field:
    """Means with what is assumed, and how they vary together; by entrant."""

    def __init__(self, entrants: Sequence[str], pairs: Sequence[Mapping[str, float]]) -> None:
        taken: dict[str, list[float]] = {entrant: [] for entrant in entrants}
        for pair in pairs:
            for entrant, credit in pair.items():
                taken[entrant].append(credit)
        self.pairs = {entrant: len(credits) for entrant, credits in taken.items()}
        weight = {entrant: count + 1 for entrant, count in self.pairs.items()}
        self.mean = {e: (sum(credits) + _PRIOR_MEAN) / weight[e] for e, credits in taken.items()}
        self._spread: defaultdict[tuple[str, str], float] = defaultdict(float)
        for entrant, mean in self.mean.items():
            prior = _PRIOR_SPREAD + (_PRIOR_MEAN - mean) ** 2
            self._spread[entrant, entrant] = prior / weight[entrant] ** 2
        for pair in pairs:
            off = {e: (credit - self.mean[e]) / weight[e] for e, credit in pair.items()}
            for one, mine in off.items():
                for other, its in off.items():
                    self._spread[one, other] += mine * its

    def error(self, one: str, other: str) -> float:
        """The standard error of the lead: what two took from each other is not independent."""
        apart = self._spread[one, one] + self._spread[other, other]
        return sqrt(max(0.0, apart - 2 * self._spread[one, other]))


def surely_ahead(
    entrants: Sequence[str], pairs: Sequence[Mapping[str, float]], doubt: float
) -> dict[str, frozenset[str]]:
    """By entrant those that it is surely ahead of; `pairs`: the mean credits of who played each.

    `doubt` is how often any of these statements may be wrong where all are equally strong; it is
    shared out over them.
    """
    field = _Field(entrants, pairs)
    share = doubt / max(1, len(entrants) * (len(entrants) - 1))

    def leads(one: str, other: str) -> bool:
        fewest = min(field.pairs[one], field.pairs[other])
        if fewest == 0 or one == other:
            return False
        lead, reach = field.mean[one] - field.mean[other], _quantile(fewest, share)
        return round(lead, _DIGITS) > round(reach * field.error(one, other), _DIGITS)

    return {one: frozenset(other for other in entrants if leads(one, other)) for one in entrants}


@lru_cache(maxsize=4096)
def _quantile(count: int, share: float) -> float:
    return float(stdtrit(count, 1.0 - share))
