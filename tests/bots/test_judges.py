"""What a state promises is a credit for each seat, the surer the nearer the end."""

from __future__ import annotations

import random

import pytest

from bots.judges import judge_of
from bots.sdk import Hello, Turn
from bots.search.decision import Decision
from engine_service.catalogue import game
from tests.bots.asked import SETTINGS, Setting, asked

JUDGED = [setting for setting in SETTINGS if judge_of(setting.game.name)]
DUEL = next(setting for setting in SETTINGS if setting.game.name == "hidden_leaders_duel")


@pytest.mark.parametrize("setting", JUDGED, ids=str)
def test_every_state_promises_each_seat_a_credit(setting: Setting) -> None:
    judge = judge_of(setting.game.name)
    assert judge is not None
    teams = setting.game.teams(setting.game.parse_options(setting.options), setting.seats)
    for position in setting.match(6):
        promised = judge.promise(position.state)
        assert all(0 <= credit <= 1 for credit in promised)
        for seat, team in enumerate(teams):
            assert promised[seat] == pytest.approx(promised[teams.index(team)])
        if len(set(teams)) == 2:
            assert promised[0] + promised[1] == pytest.approx(1, abs=0.01)


def test_the_last_play_is_judged_by_what_it_brings() -> None:
    """With one play left the judge knows who wins wherever the seat can still win."""
    rules, judge = game("hidden_leaders_duel"), judge_of("hidden_leaders_duel")
    assert judge is not None
    for number in range(8):
        *_, last = DUEL.match(number)
        state = last.state
        results = [rules.result(rules.apply(state, at)) for at in rules.legal_actions(state)]
        ranks = [result.ranks[rules.actor(state) or 0] for result in results if result]
        promised = judge.promise(state)[rules.actor(state) or 0]
        if set(ranks) == {2}:
            assert promised < 0.5
        elif 1 in ranks:
            assert promised > 0.3


def test_a_game_without_a_judge_is_played_out() -> None:
    assert judge_of("claim") is None
    assert judge_of("a game of another distribution") is None


def test_where_a_rival_would_see_too_much_a_search_ends_with_the_own_turn() -> None:
    position = next(DUEL.match(1))
    seat = position.actor or 0
    decision = Decision.of(Hello(DUEL.hello(seat)), Turn(asked(position)))
    assert decision.ends_before(1 - seat)
    assert not decision.ends_before(seat)


def test_par_and_promise_are_of_the_same_judge() -> None:
    """Without a judge every world is even."""
    for setting in (SETTINGS[0], DUEL):
        position = next(setting.match(1))
        decision = Decision.of(Hello(setting.hello(position.actor or 0)), Turn(asked(position)))
        world = decision.world(random.Random(1))
        par = decision.par(world)
        if decision.judge:
            assert par == decision.promise(world, random.Random(1))
        else:
            assert par == (0.5, 0.5)
