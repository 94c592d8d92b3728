"""Bots that would keep a worker for ever free it, on a quiet machine and on a busy one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine_service.client import LocalEngine
from tests.workers.load.hogs import hogs
from tests.workers.match.plans import leg
from workers.match import clock, series
from workers.match.series import BotSource, Outcome, play_series
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

LIMITS = Limits(start_cpu_ms=300, move_cpu_ms=50, bank_cpu_ms=100)
ALLOWANCE_MS = LIMITS.move_cpu_ms + LIMITS.bank_cpu_ms
CAP_MS = 1500
GRACE_MS = 1000

Play = Callable[[str], tuple[Outcome, float]]


@pytest.fixture(params=["quiet", "busy"])
def busy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    """Whether the machine is; the wall cap is shortened, the path to it is the real one."""
    monkeypatch.setattr(clock, "WALL_FLOOR_MS", CAP_MS)
    with hogs() if request.param == "busy" else nullcontext():
        yield request.param == "busy"


@pytest.fixture
def play(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> Play:
    """Play a match against an honest bot; its outcome, and the ms since the last question."""
    monkeypatch.setattr(series, "PROGRESS_SECONDS", 0.0)  # every question is told

    def run(script: str) -> tuple[Outcome, float]:
        asked: list[float] = []
        outcomes: list[Outcome] = []
        bots = [BotSource(hostile_dir, ("python3", f"{name}.py")) for name in ("honest", script)]

        def on_progress(match_id: str, ply: int) -> None:
            asked.append(time.monotonic())

        play_series(engine, bots, [leg(0, 0)], LIMITS, runtime, on_progress, outcomes.append)
        return outcomes[0], (time.monotonic() - asked[-1]) * 1000

    return run


@pytest.mark.parametrize("script", ["no_ready", "sleeps", "closes_input", "stops_itself"])
def test_a_silent_bot_frees_its_worker_soon_after_the_wall_cap(
    script: str, busy: bool, play: Play
) -> None:
    outcome, freed_ms = play(script)
    result, evidence = outcome.replay["result"], outcome.evidence[1]
    print(f"{script}: freed after {freed_ms:.0f} ms: {evidence.limit}")
    assert (result["ending"], result["at_fault"]) == ("timeout", 1), evidence.limit
    assert CAP_MS <= freed_ms <= CAP_MS + GRACE_MS
    assert evidence.used_ms < ALLOWANCE_MS


@pytest.mark.parametrize(
    ("script", "budget_ms"), [("spins_at_start", LIMITS.start_cpu_ms), ("spins", ALLOWANCE_MS)]
)
def test_a_busy_bot_frees_its_worker_soon_after_its_cpu_time(
    script: str, budget_ms: float, busy: bool, play: Play
) -> None:
    outcome, freed_ms = play(script)
    result, evidence = outcome.replay["result"], outcome.evidence[1]
    print(f"{script}: freed after {freed_ms:.0f} ms, {evidence.used_ms:.0f} ms of CPU time")
    assert (result["ending"], result["at_fault"]) == ("timeout", 1), evidence.limit
    assert budget_ms <= evidence.used_ms <= 1.2 * budget_ms
    # A busy machine needs longer for the same CPU time, but never longer than the wall cap.
    assert freed_ms <= (CAP_MS if busy else budget_ms) + GRACE_MS
