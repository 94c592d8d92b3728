"""How soon a ladder knows who is stronger: match-making beside random pairing.

    python -m benchmarks.match_making 30

Versions with strengths from a normal distribution play slots that are simulated: the luck of a deal
is shared by both legs of a pair. After each slot the ratings are fitted, and ranks and ratings are
compared with the truth. Both ways play the same number of pairs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, sqrt

from arena_service.formats import match_making
from arena_service.formats.candidates import Candidate, Past
from arena_service.formats.drawing import Origin, in_order
from arena_service.formats.format import Draw, Group
from arena_service.formats.round_robin import groups
from arena_service.ratings.fit import ELO, LedgerRow, fit

LUCK = 1.0  # of the deal, on the logit scale
Strengths = Mapping[str, float]
Pairing = Callable[[Mapping[str, Candidate], int, Draw], list[Group]]


def informed(candidates: Mapping[str, Candidate], pairs: int, draw: Draw) -> list[Group]:
    """As a ladder pairs."""
    return match_making.matched(candidates, 2, pairs, draw)


def at_random(candidates: Mapping[str, Candidate], pairs: int, draw: Draw) -> list[Group]:
    """As many groups, drawn, everybody in equally many."""
    wanted = -(-len(candidates) * match_making.GROUPS_OF_A_VERSION // 2)
    return groups(sorted(candidates), 2, wanted, draw)


def play(rng: random.Random, truth: Strengths, group: Group, pair: str) -> list[LedgerRow]:
    """Both legs of a pair."""
    deal, rows = rng.gauss(0.0, LUCK), []
    for first, second in (group, group[::-1]):
        gap = (truth[first] - truth[second]) / ELO + deal
        won = rng.random() < 1 / (1 + exp(-gap))
        rows.append(LedgerRow(pair, (first, second), (1.0, 0.0) if won else (0.0, 1.0)))
    return rows


@dataclass(frozen=True)
class Errors:
    """How far the ladder is from the truth: places of a rank on average, pairs in the wrong
    order (per cent), rating (Elo)."""

    places: float
    swapped: float
    rating: float


def errors(truth: Strengths, found: Strengths) -> Errors:
    """Of the ratings that were found."""
    right, got = (sorted(truth, key=lambda v: -values[v]) for values in (truth, found))
    places = sum(abs(right.index(v) - got.index(v)) for v in truth) / len(truth)
    both = list(combinations(right, 2))
    swapped = 100 * sum(found[a] < found[b] for a, b in both) / len(both)
    mean = sum(truth.values()) / len(truth)
    off = sum((found[v] - truth[v] + mean) ** 2 for v in truth) / len(truth)
    return Errors(places, swapped, sqrt(off))


def ladder(
    pairing: Pairing, seed: int, field: int, spread: float, slots: int, pairs: int
) -> list[Errors]:
    """The errors after each slot of one simulated ladder."""
    rng = random.Random(seed)
    truth = {f"v{number:03}": rng.gauss(0.0, spread) for number in range(field)}
    past, rows, told = Past(), list[LedgerRow](), list[Errors]()
    ratings = fit(rows)
    for slot in range(1, slots + 1):
        candidates = {}
        for version in truth:
            known = ratings.get(version)
            values = (known.value, known.error) if known else (None, None)
            candidates[version] = past.candidate(version, slot, *values)
        draw = Origin(bytes(32), f"{seed}-{slot}", "").draw("seats")
        met = list(in_order(pairing(candidates, pairs, draw), pairs))
        past.add(slot, candidates, met)
        for number, group in enumerate(met):
            rows += play(rng, truth, group, f"{slot}/{number}")
        ratings = fit(rows)
        told.append(errors(truth, {v: ratings[v].value for v in truth}))
    return told


def mean(values: Sequence[float]) -> str:
    """With two standard errors."""
    middle = sum(values) / len(values)
    spread = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return f"{middle:6.2f} ± {2 * sqrt(spread / len(values)):.2f}"


def main(runs: int) -> None:
    """Print a line for every way, field and length."""
    for field, spread, slots, pairs in ((40, 150.0, 12, 1), (40, 400.0, 12, 1)):
        print(f"{field} versions, strengths with a standard deviation of {spread:.0f} Elo")
        for name, pairing in (("random", at_random), ("match-making", informed)):
            each = [ladder(pairing, seed, field, spread, slots, pairs) for seed in range(runs)]
            for slot in (1, 3, 6, 12):
                found = [run[slot - 1] for run in each]
                print(
                    f"  {name:13} {slot * pairs * field * 5 // 2:5} pairs:"
                    f" places {mean([e.places for e in found])},"
                    f" swapped {mean([e.swapped for e in found])} %,"
                    f" rating {mean([e.rating for e in found])}"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
