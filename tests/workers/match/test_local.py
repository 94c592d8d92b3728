"""Pairs at home: seeds as published, folders as players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bots.manifest import ManifestError
from engine_service.client import LocalEngine
from engine_service.core.seeds import deal_seed
from workers.match import local, series
from workers.match.clock import HostStall
from workers.match.local import LocalOutcome, play_pairs
from workers.match.series import LegPlan
from workers.sandbox.staging import Runtime

BASELINES = Path(__file__).parents[3] / "bots" / "baselines"
GREEDY, RANDOM = BASELINES / "greedy", BASELINES / "random"
KEY = "5a" * 32


def play(
    engine: LocalEngine, runtime: Runtime, pairs: int, bots: Sequence[Path] = (GREEDY, RANDOM)
) -> list[LocalOutcome]:
    outcomes: list[LocalOutcome] = []
    play_pairs(bots, "claim", {}, pairs, KEY, engine, runtime, outcomes.append)
    return outcomes


def test_every_seating_of_every_deal_is_played(engine: LocalEngine, runtime: Runtime) -> None:
    outcomes = play(engine, runtime, pairs=2)
    assert [(o.pair, o.leg, o.seating) for o in outcomes] == [
        (0, 0, (0, 1)),
        (0, 1, (1, 0)),
        (1, 0, (0, 1)),
        (1, 1, (1, 0)),
    ]
    seeds = [o.outcome.replay["seed"] for o in outcomes]
    key = bytes.fromhex(KEY)
    assert seeds == [deal_seed(key, "play", "0" * 64, pair).hex() for pair in (0, 0, 1, 1)]
    names = [[player["bot"] for player in o.outcome.replay["players"]] for o in outcomes[:2]]
    assert names == [["greedy", "random"], ["random", "greedy"]]
    for item in outcomes:
        assert item.outcome.replay["result"]["ending"] == "completed"
        assert engine.verify(json.dumps(item.outcome.replay).encode()).ok


def test_the_seed_of_a_single_pair_is_that_of_its_deal(
    engine: LocalEngine, runtime: Runtime
) -> None:
    assert {o.outcome.replay["seed"] for o in play(engine, runtime, pairs=1)} == {KEY}


def test_the_same_key_plays_the_same_matches(engine: LocalEngine, runtime: Runtime) -> None:
    once, again = (
        [o.outcome.replay["digest"] for o in play(engine, runtime, 2, (RANDOM, RANDOM))]
        for _ in range(2)
    )
    assert once == again
    assert len(set(once)) == 4


@pytest.mark.parametrize("name", ["first_legal", "highest", "greedy"])
def test_no_baseline_faults_against_random(
    name: str, engine: LocalEngine, runtime: Runtime
) -> None:
    outcomes = play(engine, runtime, 3, (BASELINES / name, RANDOM))
    for item in outcomes:
        assert item.outcome.replay["result"]["ending"] == "completed", item.outcome.evidence


def test_the_template_plays(engine: LocalEngine, runtime: Runtime) -> None:
    template = BASELINES.parent / "template" / "claim"
    (first, _) = play(engine, runtime, 1, (template, RANDOM))
    assert first.outcome.replay["result"]["ending"] == "completed"
    assert any("can be beaten" in str(note) for _, note in first.outcome.evidence[0].notes)


def test_a_bot_of_another_game_is_refused(
    engine: LocalEngine, runtime: Runtime, tmp_path: Path
) -> None:
    (tmp_path / "bot.toml").write_text('name = "a"\ngames = ["go"]\nrun = ["python3", "main.py"]')
    with pytest.raises(ManifestError, match="claim"):
        play(engine, runtime, 1, (tmp_path, RANDOM))


def test_a_stalled_host_makes_the_unfinished_match_start_again(
    engine: LocalEngine, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[list[tuple[str, frozenset[int]]]] = []

    def stalling(engine: object, bots: object, legs: list[LegPlan], *rest: object) -> None:
        tries.append([(leg.match_id, leg.no_excuse) for leg in legs])
        if len(tries) < 3:
            series.play_series(engine, bots, legs[:1], *rest)  # type: ignore[arg-type]
            raise HostStall(legs[1].match_id, 0, 9000)
        series.play_series(engine, bots, legs, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(local, "play_series", stalling)
    outcomes = play(engine, runtime, pairs=2)
    nobody: frozenset[int] = frozenset()
    assert tries == [
        [("0.0", nobody), ("0.1", nobody), ("1.0", nobody), ("1.1", nobody)],
        [("0.1", nobody), ("1.0", nobody), ("1.1", nobody)],
        [("1.0", nobody), ("1.1", nobody)],
    ]
    assert sorted(o.outcome.match_id for o in outcomes) == ["0.0", "0.1", "1.0", "1.1"]


def test_after_three_void_attempts_the_late_seat_has_no_excuse(
    engine: LocalEngine, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    excuses: list[frozenset[int]] = []

    def stalling(engine: object, bots: object, legs: list[LegPlan], *rest: object) -> None:
        excuses.append(legs[0].no_excuse)
        if not legs[0].no_excuse:
            raise HostStall(legs[0].match_id, 1, 9000)
        series.play_series(engine, bots, legs, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(local, "play_series", stalling)
    play(engine, runtime, pairs=1)
    assert excuses == [frozenset(), frozenset(), frozenset(), frozenset({1})]
