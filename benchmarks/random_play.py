"""How many plies a second the engine plays at random: `python -m benchmarks.random_play`.

Counts a list of legal actions and an `apply` per ply, one core, no views and no referee.
"""

from __future__ import annotations

import random
import time

from benchmarks.settings import Setting, settings

SECONDS = 1.0  # of CPU time a round
ROUNDS = 5
MATCHES = 1000


def plies_per_second(setting: Setting, seconds: float = SECONDS) -> float:
    """Plies per second of CPU time over whole matches, the deal left out."""
    game, rng, deals = setting.game, random.Random(1), setting.deals(MATCHES)
    plies, began = 0, time.process_time()
    for state in deals:
        while legal := game.legal_actions(state):
            state = game.apply(state, legal[int(rng.random() * len(legal))])
            plies += 1
        if time.process_time() - began > seconds:
            break
    return plies / (time.process_time() - began)


def main() -> None:
    """Print the best of some rounds, which is the least disturbed."""
    for setting in settings():
        best = max(plies_per_second(setting) for _ in range(ROUNDS))
        print(f"{setting}: {best:,.0f} plies/s")


if __name__ == "__main__":
    main()
