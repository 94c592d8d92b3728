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
from tests.bots.asked import SETTINGS, Setting, asked, choice
from workers.match.local import LocalOutcome, play_itself
from workers.match.series import BotSource
from workers.sandbox.staging import Runtime

BASELINES = Path(__file__).parents[2] / "bots" / "baselines"
FEW = ["--iterations", "4"]
PERMUTED_PLIES, PERMUTATIONS = 20, 50


class FewPlayouts(FlatMonteCarlo):
    """Flat Monte Carlo, but quick."""

    def __init__(self, hello: Hello) -> None:
        super().__init__(hello, FEW)


class FewNodes(Ismcts):
    """ISMCTS, but quick."""

    def __init__(self, hello: Hello) -> None:
        super().__init__(hello, FEW)


THINKERS: list[type[Bot]] = [RandomBot, Greedy, FewPlayouts, FewNodes]

# A search takes many seconds for a match: one of each game.
SEARCHED = [setting for setting in SETTINGS if setting.seats == 2 and not setting.options]

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
every_thinker = pytest.mark.parametrize("bot", THINKERS)


@every_setting
@every_thinker
def test_whatever_the_position_a_legal_action_is_chosen(bot: type[Bot], setting: Setting) -> None:
    for number in range(2):
        for position in islice(setting.match(number), None, None, 3):
            legal = setting.game.legal_actions(position.state)
            assert choice(bot, setting, position) in legal


@every_setting
@every_thinker
def test_what_is_hidden_does_not_change_the_choice(bot: type[Bot], setting: Setting) -> None:
    rng = random.Random(1)
    positions = list(setting.match(3))
    for position in positions[:: max(1, len(positions) // PERMUTED_PLIES)]:
        seat = position.actor
        assert seat is not None
        view = setting.game.view(position.state, seat)
        truths = [setting.game.determinize(view, rng) for _ in range(PERMUTATIONS)]
        told = asked(position)
        assert all(asked(replace(position, state=truth)) == told for truth in truths)
        alike = [choice(bot, setting, replace(position, state=truth)) for truth in truths[:2]]
        assert alike == [choice(bot, setting, position)] * 2


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """A staged sandbox."""
    staged = Runtime.prepare(tmp_path_factory.mktemp("run"))
    yield staged
    staged.close()


@every_setting
@pytest.mark.parametrize("name", ["greedy"])
def test_the_clocks_of_the_arena_suffice(name: str, setting: Setting, runtime: Runtime) -> None:
    """The default limits, which count the time of the processor alone."""
    assert_completed(name, setting, runtime)


@pytest.mark.parametrize("setting", SEARCHED, ids=str)
def test_the_clocks_of_the_arena_suffice_for_a_search(setting: Setting, runtime: Runtime) -> None:
    """With the iterations of the manifest."""
    assert_completed("ismcts", setting, runtime)


def assert_completed(name: str, setting: Setting, runtime: Runtime) -> None:
    outcomes: list[LocalOutcome] = []
    folder = BASELINES / name
    source = BotSource(runtime.stage_folder(folder), load(folder).run)
    start = MatchStart(setting.game.name, setting.options, setting.seats, "5a" * 32)
    play_itself(source, name, [start], LocalEngine(), runtime, outcomes.append)
    (played,) = outcomes
    assert played.outcome.replay["result"]["ending"] == "completed", played.outcome.evidence


@every_setting
@pytest.mark.parametrize("name", ["greedy"])
def test_another_process_chooses_alike(name: str, setting: Setting) -> None:
    """Whatever the order of its sets, and whatever it was asked before."""
    position = next(islice(setting.match(0), 9, None))
    talk = [setting.hello(position.actor or 0), asked(position)]
    assert len({_answer(name, talk, hash_seed) for hash_seed in "123"}) == 1


def _answer(name: str, talk: list[dict[str, object]], hash_seed: str) -> str:
    said = "".join(json.dumps(message) + "\n" for message in talk)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    line = [sys.executable, BASELINES / name / "main.py"]
    done = subprocess.run(
        line, input=said, capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout
