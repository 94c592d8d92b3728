"""The bot around a search, and its command line.

--iterations GAME=NUMBER ... NUMBER    a search of that length, by game; the plain number is
                                       for all others. The same match every time.
--milliseconds NUMBER                  as much CPU time for each move
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from random import Random

from bots.sdk import Answer, Bot, Hello, Turn
from bots.search.budget import Budget, Iterations, Milliseconds
from bots.search.decision import Decision, Finding

FEWEST = 1  # iterations of a game that the command line forgot
OTHERS = ""  # the entry of all games that are not named
BANK_SHARE = 0.5  # of the bank that one move may use up, rather than lose by it


class SearchBot(Bot):
    """Looks at its view and at nothing it saw before; draws from its seed and the turn."""

    def __init__(self, hello: Hello, words: Sequence[str] | None = None) -> None:
        """`words` of the command line, by default those of the process."""
        super().__init__(hello)
        self._arguments = _parser().parse_args(sys.argv[1:] if words is None else words)

    def search(self, decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
        """One action of the decision, after as many iterations as the budget has."""
        raise NotImplementedError

    def choose(self, turn: Turn) -> Answer:
        """Search as long as the budget allows."""
        rng = Random(f"{self.hello.seed} {turn.ply}")
        found = self.search(Decision.of(self.hello, turn), self._budget(turn), rng)
        note = f"credit {found.credit:.3f} after {found.iterations} iterations"
        return Answer(found.action, note)

    def _budget(self, turn: Turn) -> Budget:
        most = self.hello.limits["move_cpu_ms"] + BANK_SHARE * turn.clock["bank_cpu_ms"]
        if self._arguments.milliseconds is not None:
            return Milliseconds(min(self._arguments.milliseconds, most))
        numbers: dict[str, int] = dict(self._arguments.iterations)
        number = numbers.get(self.hello.game) or numbers.get(OTHERS, FEWEST)
        return Iterations(number, most)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(allow_abbrev=False)
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--iterations", nargs="+", type=_number_by_game, metavar="[GAME=]NUMBER")
    budget.add_argument("--milliseconds", type=_positive, metavar="NUMBER")
    return parser


def _number_by_game(word: str) -> tuple[str, int]:
    game, _, number = word.rpartition("=")
    return game, _positive(number)


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(f"{number} is below 1")
    return number
