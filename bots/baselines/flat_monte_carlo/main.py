"""Flat Monte Carlo, for any game: the weakest thing that may be called a search."""

from collections.abc import Iterable
from random import Random

from bots.sdk import run
from bots.search.bot import SearchBot
from bots.search.decision import Decision, Finding
from bots.search.flat import flat_monte_carlo


class FlatMonteCarlo(SearchBot):
    """Plays out each action equally often."""

    def search(self, decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
        """See `bots/search/flat.py`."""
        return flat_monte_carlo(decision, budget, rng)


if __name__ == "__main__":
    run(FlatMonteCarlo)
