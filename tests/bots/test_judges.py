"""What a state promises is a credit for each seat, the surer the nearer the end."""

from __future__ import annotations

import random

import pytest

from bots.judges import judge_of
from bots.sdk import Hello, Turn
from bots.search.decision import Decision
from tests.bots.asked import SETTINGS, Setting, asked

JUDGED = [setting for setting in SETTINGS if judge_of(setting.game.name)]


@pytest.mark.parametrize("setting", JUDGED, ids=str)
def test_every_state_promises_each_seat_a_credit(setting: Setting) -> None:
    judge = judge_of(setting.game.name)
    assert judge is not None
    teams = setting.game.teams(setting.game.parse_options(setting.options), setting.seats)
    for position in setting.match(6):
        promised = judge(position.state)
        assert all(0 <= credit <= 1 for credit in promised)
        for seat, team in enumerate(teams):
            assert promised[seat] == pytest.approx(promised[teams.index(team)])
        if len(set(teams)) == 2:
            assert promised[0] + promised[1] == pytest.approx(1, abs=0.01)


def test_a_game_without_a_judge_is_played_out() -> None:
    assert judge_of("claim") is None
    assert judge_of("a game of another distribution") is None


def test_par_and_promise_are_of_the_same_judge() -> None:
    """Without a judge every world is even."""
    for setting in (SETTINGS[0], JUDGED[0]):
        position = next(setting.match(1))
        decision = Decision.of(Hello(setting.hello(position.actor or 0)), Turn(asked(position)))
        world = decision.world(random.Random(1))
        par = decision.par(world)
        if decision.judge:
            assert par == decision.promise(world, random.Random(1))
        else:
            assert par == (0.5, 0.5)
