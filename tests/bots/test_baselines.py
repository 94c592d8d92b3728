"""What every baseline that thinks keeps to: its view alone decides, and its move is legal."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from bots.baselines.flat_monte_carlo.main import FlatMonteCarlo
from bots.baselines.greedy.main import Greedy
from bots.baselines.ismcts.main import Ismcts
from bots.baselines.random.main import RandomBot
from bots.manifest import load
from bots.sdk import Bot, Hello
from engine_service.client import LocalEngine, MatchStart
from engine_service.core.referee import Position
from tests.bots.asked import SETTINGS, Setting, asked, choice
from workers.match.local import LocalOutcome, play_itself
from workers.match.series import BotSource
from workers.sandbox.staging import Runtime

BASELINES = Path(__file__).parents[2] / "bots" / "baselines"
FEW = ["--iterations", "1"]
PLIES, TRUTHS = 20, 50


class FewPlayouts(FlatMonteCarlo):
    """Flat Monte Carlo, but quick."""

    def __init__(self, hello: Hello) -> None:
        super().__init__(hello, FEW)


class FewNodes(Ismcts):
    """ISMCTS, but quick."""

    def __init__(self, hello: Hello) -> None:
        super().__init__(hello, FEW)


THINKERS: list[type[Bot]] = [RandomBot, Greedy, FewPlayouts, FewNodes]

CUNNING = {"variant": "cunning"}
# A match takes seconds: one of each game, of The King Is Dead its longest.
TIMED = [
    setting
    for setting in SETTINGS
    if (setting.options == CUNNING and setting.seats == 4)
    or (setting.game.name != "king_is_dead" and not setting.options)
]
# The basic game of The King Is Dead hides nothing.
HIDING = [setting for setting in SETTINGS if setting.options or setting.game.name != "king_is_dead"]
# Each game once, as it is mostly played; in the others the bots are asked in one other truth.
IN_ALL_TRUTHS = [
    setting
    for setting in HIDING
    if not setting.options or (setting.options == CUNNING and setting.seats == 2)
]

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
every_thinker = pytest.mark.parametrize("bot", THINKERS)


@every_setting
@every_thinker
def test_whatever_the_position_a_legal_action_is_chosen(bot: type[Bot], setting: Setting) -> None:
    for position in islice(setting.match(0), None, None, 3):
        legal = setting.game.legal_actions(position.state)
        assert choice(bot, setting, position) in legal


@pytest.mark.parametrize("setting", HIDING, ids=str)
def test_what_is_hidden_does_not_change_the_choice(setting: Setting) -> None:
    """Other truths behind the same view are told the same, and every bot answers them alike."""
    hidden = list(_hidden(setting))
    decided = TRUTHS if setting in IN_ALL_TRUTHS else 1
    chosen = (hidden[number * len(hidden) // PLIES] for number in range(PLIES))
    for position, others in chosen:
        told = asked(position)
        assert all(asked(other) == told for other in others)
        for bot in THINKERS:
            alike = {choice(bot, setting, other) for other in others[:decided]}
            assert alike == {choice(bot, setting, position)}


def _hidden(setting: Setting) -> Iterator[tuple[Position, list[Position]]]:
    """The positions of a match whose truth the seat cannot know, each with other truths for it."""
    game, rng = setting.game, random.Random(1)
    for position in setting.match(2):
        view = game.view(position.state, position.actor or 0)
        truths = [game.determinize(view, rng) for _ in range(TRUTHS)]
        truth = game.view(position.state, "all")
        if any(game.view(other, "all") != truth for other in truths):
            yield position, [replace(position, state=other) for other in truths]


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """A staged sandbox."""
    staged = Runtime.prepare(tmp_path_factory.mktemp("run"))
    yield staged
    staged.close()


@pytest.mark.parametrize("setting", TIMED, ids=str)
@pytest.mark.parametrize("name", ["greedy", "ismcts"])
def test_the_clocks_of_the_arena_suffice(name: str, setting: Setting, runtime: Runtime) -> None:
    """The default limits, which count the time of the processor alone."""
    outcomes: list[LocalOutcome] = []
    folder = BASELINES / name
    source = BotSource(runtime.stage_folder(folder), load(folder).run)
    start = MatchStart(setting.game.name, setting.options, setting.seats, "5a" * 32)
    play_itself(source, name, [start], LocalEngine(), runtime, outcomes.append)
    (played,) = outcomes
    assert played.outcome.replay["result"]["ending"] == "completed", played.outcome.evidence


@every_setting
def test_another_process_chooses_alike(setting: Setting) -> None:
    """Whatever the order of its sets, and whatever it was asked before."""
    position = next(islice(setting.match(0), 9, None))
    talk = [setting.hello(position.actor or 0), asked(position)]
    assert len({_answer(["greedy"], talk, hash_seed) for hash_seed in "12"}) == 1


@pytest.mark.parametrize("at", [9, 10, 11])
def test_another_process_searches_alike(at: int) -> None:
    """At a take, a return and a play; long enough to choose within the tree."""
    (setting,) = (one for one in TIMED if one.game.name == "hidden_leaders_duel")
    position = next(islice(setting.match(0), at, None))
    talk = [setting.hello(position.actor or 0), asked(position)]
    line = ["ismcts", "--iterations", "40"]
    assert len({_answer(line, talk, hash_seed) for hash_seed in "12"}) == 1


def _answer(words: list[str], talk: list[dict[str, object]], hash_seed: str) -> str:
    name, *arguments = words
    said = "".join(json.dumps(message) + "\n" for message in talk)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    line = [sys.executable, BASELINES / name / "main.py", *arguments]
    done = subprocess.run(
        line, input=said, capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout
