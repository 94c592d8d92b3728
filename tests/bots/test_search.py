"""Searches find what is known to be best, look through nothing hidden, and keep to their budget."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bots.baselines.ismcts.main import Ismcts
from bots.manifest import load
from bots.sdk import Hello, Turn
from bots.search.budget import Iterations, Milliseconds
from bots.search.decision import Decision, Finding
from bots.search.flat import flat_monte_carlo
from bots.search.ismcts import ismcts
from engine_service.catalogue import game
from engine_service.core.credit import credits_of
from engine_service.core.game import Game
from tests.bots.asked import SETTINGS, Setting, asked
from tests.bots.tale import Tale

BASELINES = Path(__file__).parents[2] / "bots" / "baselines"
WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)

Search = Callable[[Decision, Any, random.Random], Finding]
both = pytest.mark.parametrize("search", [flat_monte_carlo, ismcts])


def best(search: Search, decision: Decision, iterations: int = 400) -> tuple[str, float]:
    """The action that is found, and its credit."""
    found = search(decision, range(iterations), random.Random(1))
    return decision.game.notation(found.action), found.credit


# Seat 1 lays one of three coins face down; seat 0 plays safe, or gambles and has to name it.
GUESS = Tale(
    {f"{coin}s": DRAWN for coin in "xyz"}
    | {f"{coin}g{named}": WON if coin == named else LOST for coin in "xyz" for named in "xyz"},
    actors=[1, 0, 0],
    hidden="xyz",
)
# Seat 0 shows a coin (capital letters) or hides it; seat 1 wins by naming it.
HIDE = Tale(
    {f"{coin}{named}": LOST if coin.lower() == named else WON for coin in "xyXY" for named in "xy"},
    actors=[0, 1],
    hidden="xy",
)


@both
def test_what_is_not_seen_cannot_be_named_later(search: Search) -> None:
    """Each coin could be named if it were seen; a search that knew it in its tree would gamble."""
    assert best(search, GUESS.asked("x"))[0] == "s"


@pytest.mark.parametrize("coin", "xyz")
def test_a_guess_is_worth_no_more_than_its_chance(coin: str) -> None:
    assert best(ismcts, GUESS.asked(f"{coin}g"), 1000)[1] == pytest.approx(1 / 3, abs=0.08)


def test_a_rival_does_not_see_through_a_hidden_move() -> None:
    action, credit = best(ismcts, HIDE.asked(""), 1000)
    assert action in "xy"
    assert 0.3 < credit < 0.7


def test_a_shown_move_is_answered() -> None:
    shown = Tale({k: v for k, v in HIDE.endings.items() if k[0] in "XY"}, actors=[0, 1])
    assert best(ismcts, shown.asked(""), 1000)[1] < 0.1


def test_with_three_seats_each_wants_its_own_credit() -> None:
    """After b seat 1 does harm for its own good, after a it does not: the means tell otherwise."""
    tale = Tale({"ax": (2, 1, 3), "ay": (3, 2, 1), "bx": (1, 3, 2), "by": (3, 1, 2)}, [0, 1])
    assert best(ismcts, tale.asked(""))[0] == "a"
    assert best(flat_monte_carlo, tale.asked(""))[0] == "b"


def test_a_partner_wants_the_same() -> None:
    """Seat 2 decides, behind a forced ply of seat 1: alone it would take seat 0 down."""
    endings = {"apx": (1, 2, 1, 2), "apy": (2, 1, 2, 1), "bp": (1, 1, 1, 1)}
    together = Tale(endings, actors=[0, 1, 2], partners=[0, 1, 0, 1])
    assert best(ismcts, together.asked(""))[0] == "a"
    alone = Tale(endings | {"apx": (1, 2, 4, 3), "apy": (4, 3, 1, 2)}, actors=[0, 1, 2])
    assert best(ismcts, alone.asked(""))[0] == "b"


def claim_endings(plies: int, number: int) -> list[tuple[Decision, set[int]]]:
    """Late positions of Claim where some actions win or draw and others do not, and the best."""
    claim, found = game("claim"), []
    for seed in range(100):
        rng, state = random.Random(seed), claim.deal(bytes([seed]) * 32, claim.parse_options({}), 2)
        for _ in range(plies):
            state = claim.apply(state, rng.choice(claim.legal_actions(state)))
        seat, legal = claim.actor(state), claim.legal_actions(state)
        assert seat is not None
        worth = {action: solved(claim, claim.apply(state, action))[seat] for action in legal}
        if len(set(worth.values())) > 1:
            view = claim.view(state, seat)
            decision = Decision(claim, state.options, (0, 1), seat, view, tuple(legal))
            good = {action for action in legal if worth[action] == max(worth.values())}
            found.append((decision, good))
        if len(found) == number:
            return found
    raise LookupError("too few such positions")


@cache
def solved(rules: Game, state: Any) -> tuple[float, ...]:
    """What each seat gets when both play on without a fault and see everything."""
    result = rules.result(state)
    if result is not None:
        return tuple(credits_of(result.ranks))
    seat = rules.actor(state)
    assert seat is not None
    ahead = [solved(rules, rules.apply(state, action)) for action in rules.legal_actions(state)]
    return max(ahead, key=lambda credits: credits[seat])


def test_the_end_of_a_match_is_played_without_a_fault() -> None:
    """In phase 2 of Claim a seat knows the other hand: what is best can be worked out."""
    endings = claim_endings(44, 6)
    for decision, good in endings:
        assert ismcts(decision, range(600), random.Random(2)).action in good


@both
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_same_seed_finds_the_same(search: Search, setting: Setting) -> None:
    position = next(islice(setting.match(0), 9, None))
    turn, seat = Turn(asked(position)), position.actor or 0
    decision = Decision.of(Hello(setting.hello(seat)), turn)
    found = [search(decision, range(5), random.Random(7)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].action in turn.ids


@both
@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_of_another_distribution_is_searched_as_it_is(
    search: Search, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "example_game")
    rules = import_module("interrex_bids.game").GAME
    options = rules.parse_options({})
    state, teams = rules.deal(bytes(32), options, seats), rules.teams(options, seats)
    while legal := rules.legal_actions(state):
        seat = rules.actor(state)
        decision = Decision(rules, options, teams, seat, rules.view(state, seat), tuple(legal))
        found = search(decision, range(30), random.Random(seat))
        assert found.action in legal
        state = rules.apply(state, found.action)
    assert rules.result(state) is not None


@pytest.mark.parametrize("name", ["flat_monte_carlo", "ismcts"])
def test_another_process_finds_the_same(name: str) -> None:
    """Whatever the order of its sets."""
    for setting in (SETTINGS[0], SETTINGS[3], SETTINGS[-1]):
        position = next(islice(setting.match(1), 12, None))
        talk = [setting.hello(position.actor or 0), asked(position)]
        answers = [printed(name, talk, "--iterations", "20", seed=seed) for seed in "12"]
        assert answers[0] == answers[1]
        assert "after 20 iterations" in answers[0]


def printed(name: str, talk: list[Any], *arguments: str, seed: str = "0") -> str:
    """What a bot's process says."""
    line = [sys.executable, str(BASELINES / name / "main.py"), *arguments]
    said = "".join(json.dumps(message) + "\n" for message in talk)
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        line, input=said, capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout


@pytest.mark.parametrize("name", ["flat_monte_carlo", "ismcts"])
def test_the_manifest_gives_every_game_a_number(name: str) -> None:
    manifest = load(BASELINES / name)
    for played in manifest.games:
        assert any(word.startswith(f"{played}=") for word in manifest.run)
    assert manifest.run[-1].isdigit()


class Ticking:
    """A clock that goes on by `step` seconds whenever it is read."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_number_of_iterations_does_not_depend_on_the_clock() -> None:
    assert list(Iterations(5, 1000, Ticking(0.001))) == list(range(5))


def test_a_bot_that_is_too_slow_stops_before_it_is_late() -> None:
    assert len(list(Iterations(1000, 500, Ticking(0.01)))) == 50


@pytest.mark.parametrize(("step", "iterations"), [(0.01, 20), (0.05, 4), (7.0, 1)])
def test_a_time_is_kept_to_within_an_iteration(step: float, iterations: int) -> None:
    clock = Ticking(step)
    assert len(list(Milliseconds(200, clock))) == iterations
    assert clock.now <= 0.2 + 2 * step


def test_a_time_never_touches_more_than_half_of_the_bank() -> None:
    budgets = list(budgets_of("--milliseconds", "5000"))
    assert budgets == [Milliseconds(200 + 1000), Milliseconds(200 + 500), Milliseconds(200)]


def test_iterations_go_by_the_game() -> None:
    words = ["--iterations", "claim=7", "king_is_dead=9", "11"]
    numbers = [next(budgets_of(*words, name=name)).number for name in ("claim", "other")]
    assert numbers == [7, 11]


@pytest.mark.parametrize(
    "words", [[], ["--iterations", "0"], ["--milliseconds", "-1"], ["--iterations", "claim=many"]]
)
def test_a_budget_that_is_none_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        next(budgets_of(*words))


def budgets_of(*words: str, name: str = "claim") -> Iterator[Any]:
    """The budgets with 2000, 1000 and 0 ms left in the bank."""
    hello = Hello(SETTINGS[0].hello(0) | {"game": name})
    bot = Ismcts(hello, words)
    message = asked(next(SETTINGS[0].match(0)))
    for left in (2000, 1000, 0):
        yield bot._budget(Turn(message | {"clock": {"bank_cpu_ms": left, "wall_ms": 9000}}))
