"""Random play beside other systems, one after another in one run: `python -m benchmarks.peers`.

The games differ, so read the ratios as orders of magnitude: a card game of tricks wherever there is
one. The other systems are no dependencies of the project; `make bench-peers` gives them a folder of
their own for the run.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.random_play import plies_per_second
from benchmarks.settings import Setting
from engine_service import catalogue

SECONDS = 3.0
ROUNDS = 3
RATIO_TO = "RLCard uno"  # a card game in plain Python, as ours are


def _openspiel(name: str) -> int:
    import pyspiel

    state, plies = pyspiel.load_game(name).new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        plies += 1
    return plies


def _rlcard() -> int:
    import rlcard

    env = _kept("uno", lambda: rlcard.make("uno"))
    state, _player = env.reset()
    plies = 0
    while not env.is_over():
        state, _player = env.step(random.choice(list(state["legal_actions"])))
        plies += 1
    return plies


def _pettingzoo() -> int:
    from pettingzoo.classic import connect_four_v3

    env = _kept("connect_four", connect_four_v3.env)
    env.reset()
    plies = 0
    for _agent in env.agent_iter():
        observation, _reward, ended, cut, _info = env.last()
        legal = [i for i, allowed in enumerate(observation["action_mask"]) if allowed]
        env.step(None if ended or cut else random.choice(legal))
        plies += not (ended or cut)
    return plies


_environments: dict[str, object] = {}


def _kept(name: str, make: Callable[[], object]) -> object:
    """Environments are made once and reset, as their users do."""
    if name not in _environments:
        _environments[name] = make()
    return _environments[name]


PEERS: dict[str, Callable[[], int]] = {
    "OpenSpiel hearts, driven from Python": lambda: _openspiel("hearts"),
    "OpenSpiel euchre, driven from Python": lambda: _openspiel("euchre"),
    "RLCard uno": _rlcard,
    "PettingZoo connect four": _pettingzoo,
}


OURS = {
    f"Interrex {game.title}": Setting(game, game.seat_counts[0])
    for game in map(catalogue.game, catalogue.names())
}


def _speed(match: Callable[[], int]) -> float:
    """Plies per second over whole matches."""
    match()
    plies, began = 0, time.process_time()
    while (passed := time.process_time() - began) < SECONDS:
        plies += match()
    return plies / passed


def main() -> None:
    """Measure in turns, so that a busy moment hits everybody.

    Prints min, median and max, and every median as a multiple of RLCard's.
    """
    measured: dict[str, list[float]] = {name: [] for name in (*OURS, *PEERS)}
    for _ in range(ROUNDS):
        for name, setting in OURS.items():
            measured[name].append(plies_per_second(setting, SECONDS))
        for name, match in PEERS.items():
            measured[name].append(_speed(match))
    table = Table("random play, one process", "min", "median plies/s", "max", f"{RATIO_TO} = 1")
    unit = median(measured[RATIO_TO])
    for name, figures in measured.items():
        cells = (f"{figure:,.0f}" for figure in (min(figures), median(figures), max(figures)))
        table.add_row(name, *cells, f"{median(figures) / unit:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
