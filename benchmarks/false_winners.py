"""How often a comparison of two bots names a winner that is none.

    python -m benchmarks.false_winners 1000

Pairs are simulated on a logit scale: the luck of the deal and the bias of seat 0 are shared by both
legs of a pair, with the seats exchanged, and a margin around even strength is a draw.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from math import exp, sqrt

from arena_service.ratings.pairs import superiority
from arena_service.ratings.pentanomial import Pentanomial
from arena_service.ratings.sprt import Sprt, Verdict

LUCK, BIAS, DRAWS = 2.0, 0.5, 0.3
AT_MOST = 1000
STEP = 10


def pair(rng: random.Random, lead: float) -> float:
    """The points of the first side, that leads by so much on the logit scale."""
    deal = rng.gauss(0.0, LUCK) + BIAS
    return _leg(rng, lead + deal) + _leg(rng, lead - deal)


def _leg(rng: random.Random, gap: float) -> float:
    toss = rng.random()
    won, lost = 1 / (1 + exp(DRAWS - gap)), 1 / (1 + exp(DRAWS + gap))
    return 1.0 if toss < won else 0.0 if toss > 1 - lost else 0.5


def peeking(pairs: Iterator[float]) -> tuple[bool, int]:
    """Looks every STEP pairs and stops at the first p < .05; whether the first side won by it."""
    counts: list[float] = []
    for number, points in enumerate(pairs, 1):
        counts.append(points / 2)
        if number % STEP == 0:
            sure = superiority(counts)
            if min(sure, 1 - sure) < 0.025:
                return True, number
    return False, AT_MOST


def fixed(pairs: Iterator[float]) -> tuple[bool, int]:
    """One look, after AT_MOST pairs."""
    sure = superiority([points / 2 for points in pairs])
    return min(sure, 1 - sure) < 0.025, AT_MOST


def sequential(test: Sprt, pairs: Iterator[float]) -> tuple[bool, int]:
    """The generalised SPRT; whether it calls the first side stronger."""
    looked = test.look(pairs)
    return looked.verdict is Verdict.STRONGER, looked.looked


def lead_of(elo: float) -> float:
    """The lead on the logit scale that is so much normalised Elo, by halving on a long sample."""
    low, high = 0.0, 2.0
    for _ in range(12):
        lead = (low + high) / 2
        rng = random.Random(0)
        found = Pentanomial.of(pair(rng, lead) for _ in range(20_000)).normalised_elo()
        low, high = (lead, high) if found < elo else (low, lead)
    return (low + high) / 2


def rate(
    rule: Callable[[Iterator[float]], tuple[bool, int]], lead: float, runs: int, seed: int
) -> str:
    """How many runs of a hundred name a winner, with two standard errors, and their length."""
    rng = random.Random(seed)
    ends = [rule(pair(rng, lead) for _ in range(AT_MOST)) for _ in range(runs)]
    share = sum(named for named, _ in ends) / runs
    error = 2 * sqrt(share * (1 - share) / runs)
    length = sum(pairs for _, pairs in ends) / runs
    return f"{100 * share:.1f} ± {100 * error:.1f} %, {length:.0f} pairs on average"


def main(runs: int) -> None:
    """Print a line for every rule and truth."""
    test = Sprt(0, 50)
    stronger = lead_of(50)
    print(f"{runs} runs of at most {AT_MOST} pairs")
    print("equal bots, a winner is named:")
    print(f"  a look every {STEP} pairs at p < .05: {rate(peeking, 0.0, runs, 1)}")
    print(f"  one look at the end at p < .05:  {rate(fixed, 0.0, runs, 2)}")
    print("SPRT(0, 50, .05, .05) calls the first side stronger:")
    print(f"  equal bots:                      {rate(partial(sequential, test), 0.0, runs, 3)}")
    print(
        f"  stronger by 50 normalised Elo:   {rate(partial(sequential, test), stronger, runs, 4)}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
