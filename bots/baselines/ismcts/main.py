"""Information set Monte Carlo tree search, for any game; by a policy where it has playouts."""

from collections.abc import Iterable
from random import Random

from bots.playouts import playouts_of
from bots.sdk import run
from bots.search.bot import SearchBot
from bots.search.decision import Decision, Finding
from bots.search.ismcts import ismcts
from bots.search.rollouts import rollouts


class Ismcts(SearchBot):
    """Grows a tree over what each seat sees."""

    def search(self, decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
        """See `bots/search/ismcts.py` and `bots/search/rollouts.py`."""
        if playouts := playouts_of(self.hello.game):
            return rollouts(decision, playouts, budget, rng)
        return ismcts(decision, budget, rng)


if __name__ == "__main__":
    run(Ismcts)
