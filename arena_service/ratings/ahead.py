"""Who is surely ahead of whom, by the credit that they took from the same field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt

from scipy.special import stdtrit

# What is assumed beside the data, as for the interval of one entrant: one pair at 1/2 with the
# largest spread that the mean of a pair can have.
_PRIOR_MEAN, _PRIOR_SPREAD = 0.5, 0.25
_DIGITS = 9  # every machine computes the same so far


def surely_ahead(
    entrants: Sequence[str], pairs: Sequence[Mapping[str, float]], doubt: float
) -> dict[str, frozenset[str]]:
    """By entrant those that it is surely ahead of; `pairs`: the mean credits of who played each.

    `doubt` is how often one of all these statements may be wrong where all are equally strong: it
    is shared out over them. Credits of two that met are not independent; that is counted.
    """
    taken: dict[str, list[float]] = {entrant: [] for entrant in entrants}
    for pair in pairs:
        for entrant, credit in pair.items():
            taken[entrant].append(credit)
    weight = {entrant: len(credits) + 1 for entrant, credits in taken.items()}
    mean = {e: (sum(credits) + _PRIOR_MEAN) / weight[e] for e, credits in taken.items()}
    spread: defaultdict[tuple[str, str], float] = defaultdict(float)
    for entrant in entrants:
        prior = _PRIOR_SPREAD + (_PRIOR_MEAN - mean[entrant]) ** 2
        spread[entrant, entrant] = prior / weight[entrant] ** 2
    for pair in pairs:
        off = {
            entrant: (credit - mean[entrant]) / weight[entrant] for entrant, credit in pair.items()
        }
        for one, mine in off.items():
            for other, its in off.items():
                spread[one, other] += mine * its
    each = doubt / max(1, len(entrants) * (len(entrants) - 1))
    reach = {
        count: float(stdtrit(count, 1.0 - each)) for count in set(map(len, taken.values())) - {0}
    }

    def leads(one: str, other: str) -> bool:
        fewest = min(len(taken[one]), len(taken[other]))
        if fewest == 0 or one == other:
            return False
        variance = spread[one, one] + spread[other, other] - 2 * spread[one, other]
        lead = mean[one] - mean[other]
        return round(lead, _DIGITS) > round(reach[fewest] * sqrt(max(0.0, variance)), _DIGITS)

    return {one: frozenset(other for other in entrants if leads(one, other)) for one in entrants}
