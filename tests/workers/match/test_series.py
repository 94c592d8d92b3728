"""Whole series with real processes in the real sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine_service.client import LocalEngine
from tests.workers.match.plans import leg, pair_legs
from workers.match import series
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.sandbox.limits import STDERR_KEPT_BYTES, Limits
from workers.sandbox.staging import Runtime

HONEST = "honest"
QUICK = Limits(start_cpu_ms=1000, move_cpu_ms=50, bank_cpu_ms=100)

Play = Callable[..., list[Outcome]]


@pytest.fixture
def play(engine: LocalEngine, runtime: Runtime, hostile_dir: Path) -> Play:
    """Play scripts of the hostile folder against each other."""

    def run(
        scripts: Sequence[str], legs: Sequence[LegPlan], limits: Limits = QUICK
    ) -> list[Outcome]:
        outcomes: list[Outcome] = []
        bots = [BotSource(hostile_dir, ("python3", f"{name}.py")) for name in scripts]
        play_series(
            engine, bots, legs, limits, runtime, lambda match_id, ply: None, outcomes.append
        )
        return outcomes

    return run


def test_honest_bots_play_complete_matches_that_verify(play: Play, engine: LocalEngine) -> None:
    outcomes = play(["honest", "honest"], pair_legs(2), Limits())
    assert [outcome.match_id for outcome in outcomes] == ["0.0", "0.1", "1.0", "1.1"]
    for outcome in outcomes:
        assert outcome.replay["result"]["ending"] == "completed"
        assert engine.verify(json.dumps(outcome.replay).encode()).ok
        assert all(cpu_ms > 0 for cpu_ms in outcome.seat_cpu_ms)
        assert [item.limit for item in outcome.evidence] == ["", ""]
        assert all(item.last_view.startswith("{") for item in outcome.evidence)


@pytest.mark.parametrize(
    ("script", "ending", "word"),
    [
        ("bad_json", "illegal_action", "malformed"),
        ("deep_json", "illegal_action", "no answer"),
        ("not_utf8", "illegal_action", "UTF-8"),
        ("wrong_turn", "illegal_action", "turn"),
        ("second_line", "illegal_action", ""),
        ("unknown_type", "illegal_action", "no answer"),
        ("illegal_card", "illegal_action", "K1"),
        ("huge_id", "illegal_action", "no answer"),
        ("long_line", "illegal_action", "65536"),
        ("sleeps", "timeout", "wall"),
        ("spins", "timeout", "CPU"),
        ("exits", "crash", ""),
        ("floods", "illegal_action", ""),
        ("floods_log", "crash", "stderr"),
        ("resigns", "resigned", ""),
        ("spins_at_start", "timeout", "CPU"),
        ("exits_at_start", "crash", ""),
        ("not_ready", "illegal_action", "ready"),
        ("no_such_script", "crash", ""),
    ],
)
def test_a_hostile_bot_loses_by_its_own_ending(
    script: str, ending: str, word: str, play: Play
) -> None:
    (outcome,) = play([HONEST, script], [leg(0, 0)])
    result = outcome.replay["result"]
    assert (result["ending"], result["at_fault"], result["ranks"]) == (ending, 1, [1, 2])
    assert result["score"] is None
    honest, faulty = outcome.evidence
    assert honest.limit == ""
    assert word in faulty.limit


def test_a_bot_that_eats_memory_crashes(play: Play) -> None:
    roomy = Limits(move_cpu_ms=5000, memory_bytes=256 << 20)
    (outcome,) = play([HONEST, "eats_memory"], [leg(0, 0)], roomy)
    assert outcome.replay["result"]["ending"] == "crash"


def test_the_log_of_a_bot_is_kept_as_evidence(play: Play) -> None:
    (outcome,) = play([HONEST, "exits"], [leg(0, 0)])
    faulty = outcome.evidence[1]
    assert faulty.stderr_tail == "my last words\n"
    assert faulty.limit == "the process ended with exit code 3"
    assert faulty.peak_bytes is None


@pytest.mark.parametrize(
    ("script", "word"),
    [("no_such_script", "No such file"), ("floods_log", "xxxx"), ("logs_and_spins", "thinking")],
)
def test_the_log_of_a_bot_that_failed_or_was_stopped_is_kept(
    script: str, word: str, play: Play
) -> None:
    (outcome,) = play([HONEST, script], [leg(0, 0)])
    tail = outcome.evidence[1].stderr_tail
    assert word in tail
    assert len(tail) <= STDERR_KEPT_BYTES


def test_what_a_bot_logs_with_its_last_answer_is_kept_with_that_match(play: Play) -> None:
    outcomes = play([HONEST, "logs_late"], [leg(0, 0), leg(1, 0)], Limits())
    for outcome in outcomes:
        faulty = outcome.evidence[1]
        last = len(faulty.cpu_per_ply)
        assert faulty.stderr_tail.splitlines() == [f"turn {n}" for n in range(last)]


def test_times_and_memory_are_measured(play: Play) -> None:
    (outcome,) = play([HONEST, "burns"], [leg(0, 0)], Limits())
    idle, busy = outcome.evidence
    for item in (idle, busy):
        assert len(item.cpu_per_ply) == len(item.wall_per_ply) > 10
        assert item.start_cpu_ms > 1
        assert item.used_ms == item.cpu_per_ply[-1]
        assert item.peak_bytes is not None
        assert 4 << 20 < item.peak_bytes < 64 << 20
    assert min(busy.cpu_per_ply) >= 10 > min(idle.cpu_per_ply)
    assert all(wall > 9 for wall in busy.wall_per_ply)
    total = busy.start_cpu_ms + sum(busy.cpu_per_ply)
    assert outcome.seat_cpu_ms[1] == pytest.approx(total, abs=0.1)


def test_no_contest_when_neither_bot_starts(play: Play) -> None:
    (outcome,) = play(["exits_at_start", "not_ready"], [leg(0, 0)])
    result = outcome.replay["result"]
    assert (result["ending"], result["at_fault"], result["ranks"]) == ("no_contest", None, None)
    assert outcome.replay["plies"] == []
    assert all(item.limit for item in outcome.evidence)


@pytest.mark.parametrize("script", ["exits", "second_line", "resigns"])
def test_a_match_after_a_fault_starts_as_if_nothing_had_been(script: str, play: Play) -> None:
    outcomes = play([HONEST, script], [leg(0, 0), leg(1, 0)])
    faulty = [outcome.evidence[1] for outcome in outcomes]
    assert [len(item.cpu_per_ply) for item in faulty] == [3, 3]


def test_no_process_meets_a_deal_twice(play: Play) -> None:
    outcomes = play(["notes_views", "notes_views"], pair_legs(4), Limits())
    assert {outcome.replay["result"]["ending"] for outcome in outcomes} == {"completed"}


def test_a_bot_that_notes_its_views_would_know_a_deal_it_met_before(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "_check_no_deal_twice", lambda legs: None)
    outcomes = play(["notes_views", HONEST], [leg(0, 0), leg(0, 1, processes=0)], Limits())
    assert [o.replay["result"]["ending"] for o in outcomes] == ["completed", "crash"]
    assert "I know this deal" in outcomes[1].evidence[1].stderr_tail


def test_a_plan_that_gives_a_process_set_one_deal_twice_is_refused(play: Play) -> None:
    with pytest.raises(ValueError, match="deal twice"):
        play([HONEST, HONEST], [leg(0, 0), leg(0, 1, processes=0)])


def test_progress_tells_plies_and_an_error_in_it_ends_the_series(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "PROGRESS_SECONDS", 0.0)
    told: list[int] = []

    class LostError(RuntimeError):
        pass

    def on_progress(match_id: str, ply: int) -> None:
        told.append(ply)
        if ply > 20:
            raise LostError(match_id)

    bots = [BotSource(hostile_dir, ("python3", "honest.py"))] * 2
    with pytest.raises(LostError):
        play_series(engine, bots, pair_legs(1), QUICK, runtime, on_progress, lambda outcome: None)
    assert told == sorted(told)
    assert told[0] == 0


def test_progress_is_told_across_short_matches_but_not_for_every_ply(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "PROGRESS_SECONDS", 0.05)
    told: list[str] = []
    ended: list[Outcome] = []
    bots = [BotSource(hostile_dir, ("python3", "honest.py"))] * 2

    def on_progress(match_id: str, ply: int) -> None:
        told.append(match_id)

    play_series(engine, bots, pair_legs(8), Limits(), runtime, on_progress, ended.append)
    assert told
    assert len(told) < sum(len(item.cpu_per_ply) for o in ended for item in o.evidence) / 4
