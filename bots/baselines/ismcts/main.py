"""Information set Monte Carlo tree search, for any game."""

from collections.abc import Iterable
from random import Random

from bots.sdk import run
from bots.search.bot import SearchBot
from bots.search.decision import Decision, Finding
from bots.search.ismcts import ismcts


class Ismcts(SearchBot):
    """Grows a tree over what each seat sees."""

    def search(self, decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
        """See `bots/search/ismcts.py`."""
        return ismcts(decision, budget, rng)


if __name__ == "__main__":
    run(Ismcts)
