"""How many plies a second the engine plays at random: `python -m benchmarks.claim_random_play`.

Counts a list of legal actions and an `apply` per ply, one core, no views and no referee.
"""

from __future__ import annotations

import random
import time

from engine_service.catalogue import game

MATCHES = 1000
ROUNDS = 5


def plies_per_second(matches: int) -> float:
    """Over whole matches, the deal left out."""
    claim, rng = game("claim"), random.Random(1)
    options = claim.parse_options({})
    deals = [claim.deal(index.to_bytes(32, "big"), options, 2) for index in range(matches)]
    plies, began = 0, time.perf_counter()
    for state in deals:
        while legal := claim.legal_actions(state):
            state = claim.apply(state, legal[int(rng.random() * len(legal))])
            plies += 1
    return plies / (time.perf_counter() - began)


def main() -> None:
    """Print the best of some rounds, which is the least disturbed."""
    best = max(plies_per_second(MATCHES) for _ in range(ROUNDS))
    print(f"claim random play: {best:,.0f} plies/s")


if __name__ == "__main__":
    main()
