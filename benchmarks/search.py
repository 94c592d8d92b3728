"""Iterations of ISMCTS a second, ours and OpenSpiel's: `python -m benchmarks.search`.

Each figure is over the decisions of a random match, CPU time of one core. OpenSpiel is measured in
the same run where it is installed (`make bench-peers`), by its search in C++ and its search in
Python, on card games that it can determinize. Games differ in length: read orders of magnitude.

An iteration of rollouts is a world in which up to five actions are tried: not the same unit.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.settings import Setting, settings
from bots.judges import judge_of
from bots.playouts import playouts_of
from bots.search.decision import Decision, Finding
from bots.search.ismcts import ismcts
from bots.search.rollouts import rollouts

ITERATIONS = 100  # of every decision
DECISIONS = 6  # of a match, spread over it
ROUNDS = 3
PEERS = ("euchre", "gin_rummy")  # what its search gets through without a crash

Search = Callable[[], object]  # one decision


def main() -> None:
    """Measure in turns, so that a busy moment hits everybody; print min, median and max."""
    subjects: dict[str, Callable[[int], list[Search]]] = {}
    for setting in settings():
        subjects[str(setting)] = partial(_ours, setting, ismcts)
        if playouts := playouts_of(setting.game.name):
            search = partial(rollouts, playouts=playouts)
            subjects[f"{setting}, rollouts above a tree"] = partial(_ours, setting, search)
    if find_spec("pyspiel"):
        for name in PEERS:
            subjects[f"OpenSpiel {name}, C++"] = partial(_theirs, name, _cpp)
            subjects[f"OpenSpiel {name}, Python"] = partial(_theirs, name, _python)
    measured: dict[str, list[float]] = {name: [] for name in subjects}
    for seed in range(ROUNDS):
        for name, decisions in subjects.items():
            measured[name].append(_iterations_per_second(decisions(seed)))
    table = Table("ISMCTS, one process", "min", "median iterations/s", "max")
    for name, figures in measured.items():
        table.add_row(name, *(f"{figure:,.0f}" for figure in sorted(figures)))
    Console().print(table)


def _iterations_per_second(searches: list[Search]) -> float:
    began = time.process_time()
    for search in searches:
        search()
    return ITERATIONS * len(searches) / (time.process_time() - began)


def _ours(setting: Setting, search: Callable[..., Finding], seed: int) -> list[Search]:
    """The decisions of a random match."""
    game, rng = setting.game, random.Random(seed)
    options = game.parse_options(setting.options)
    teams = game.teams(options, setting.seats)
    state, found = setting.deals(seed + 1)[seed], list[Search]()
    while legal := game.legal_actions(state):
        seat = game.actor(state)
        if len(legal) > 1 and seat is not None:
            view = game.view(state, seat)
            judge, actions = judge_of(game.name), tuple(legal)
            decision = Decision(game, options, teams, seat, view, actions, judge)
            asked = {"budget": range(ITERATIONS), "rng": random.Random(1)}
            found.append(partial(search, decision, **asked))
        state = game.apply(state, rng.choice(legal))
    return found[:: 1 + len(found) // DECISIONS]


def _theirs(name: str, searcher: Callable[[Any], Any], seed: int) -> list[Search]:
    """The same of a game of OpenSpiel, which calls the deal a row of chance plies."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(seed)
    state, bot, found = game.new_initial_state(), searcher(game), list[Search]()
    while not state.is_terminal():
        legal = state.legal_actions()
        if len(legal) > 1 and not state.is_chance_node():
            found.append(partial(bot.step, state.clone()))
        state.apply_action(rng.choice(legal))
    return found[:: 1 + len(found) // DECISIONS]


def _cpp(game: Any) -> Any:
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return pyspiel.ISMCTSBot(1, evaluator, 2.0, ITERATIONS)


def _python(game: Any) -> Any:
    from numpy.random import RandomState
    from open_spiel.python.algorithms import ismcts as theirs
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    evaluator = RandomRolloutEvaluator(1, RandomState(1))
    return theirs.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=2.0,
        max_simulations=ITERATIONS,
        random_state=RandomState(1),
    )


if __name__ == "__main__":
    main()
