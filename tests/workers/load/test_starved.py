"""A bot that gets next to no processor: the attempt is void, and nobody has lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine_service.client import LocalEngine
from tests.workers.load.clocked import busy_bot
from tests.workers.load.hogs import hogs
from tests.workers.match.plans import leg
from workers.match import clock, local, series
from workers.match.clock import HostStall
from workers.match.local import LocalOutcome, play_pairs
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

FIRST_LEGAL = Path(__file__).parents[3] / "bots" / "baselines" / "first_legal"
LIMITS = Limits(start_cpu_ms=1000, move_cpu_ms=200, bank_cpu_ms=0)
CAP_MS = 1000
THINKS = ("python3", "burns.py", "100")
# With a share of 1/41 those 100 ms take four times the cap, twice what the stall can add to it.
HERD = 40


class Crowd:
    """Bots that are asked for a decision have to share one processor with a herd of hogs."""

    def __init__(self) -> None:
        self.there = True
        self._processor = max(os.sched_getaffinity(0))
        self._herd = ExitStack()
        self._herd.enter_context(hogs(HERD, self._processor))

    def bot(self, *started: object) -> BotProcess:
        """A real bot; the runner and the bots that start have the other processors."""
        process = BotProcess(*started)  # type: ignore[arg-type]
        ask = process.ask

        def crowded(line: bytes, cpu_ms: float, wall_ms: float) -> None:
            if self.there and b'"type":"turn"' in line:
                os.sched_setaffinity(process.pid, {self._processor})
            ask(line, cpu_ms, wall_ms)

        process.ask = crowded  # type: ignore[method-assign]
        return process

    def leave(self) -> None:
        """The machine is quiet again."""
        self.there = False
        self._herd.close()


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    """It leaves with the test at the latest; the wall cap is shortened."""
    found = Crowd()
    monkeypatch.setattr(series, "BotProcess", found.bot)
    monkeypatch.setattr(clock, "WALL_FLOOR_MS", CAP_MS)
    yield found
    found.leave()


@pytest.mark.usefixtures("crowd")
def test_a_starved_bot_voids_the_attempt_and_without_an_excuse_is_late(
    engine: LocalEngine, runtime: Runtime, hostile_dir: Path
) -> None:
    outcomes: list[Outcome] = []
    bots = [BotSource(hostile_dir, ("python3", "honest.py")), BotSource(hostile_dir, THINKS)]

    def play(plan: LegPlan) -> None:
        play_series(engine, bots, [plan], LIMITS, runtime, lambda *_: None, outcomes.append)

    with pytest.raises(HostStall) as caught:
        play(leg(0, 0))
    assert (caught.value.match_id, caught.value.seat) == ("0.0", 1)
    assert caught.value.stall_ms > CAP_MS / 2
    assert outcomes == []

    play(leg(0, 0, no_excuse=frozenset({1})))
    result = outcomes[0].replay["result"]
    assert (result["ending"], result["at_fault"]) == ("timeout", 1)
    assert "of it the host's" in outcomes[0].evidence[1].limit
    assert outcomes[0].evidence[1].used_ms < 100


def test_at_home_a_match_that_was_starved_is_played_again_when_the_crowd_has_gone(
    engine: LocalEngine,
    runtime: Runtime,
    tmp_path: Path,
    crowd: Crowd,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    voids: list[tuple[str, int]] = []

    def watched(*arguments: object) -> None:
        try:
            play_series(*arguments)  # type: ignore[arg-type]
        except HostStall as void:
            voids.append((void.match_id, void.seat))
            crowd.leave()
            raise

    monkeypatch.setattr(local, "play_series", watched)
    outcomes: list[LocalOutcome] = []
    bots = [busy_bot(tmp_path / "busy", cpu_ms=100), FIRST_LEGAL]
    play_pairs(bots, "claim", {}, 1, "00" * 32, engine, runtime, outcomes.append, LIMITS)
    assert voids == [("0.0", 0)]
    assert [o.outcome.replay["result"]["ending"] for o in outcomes] == ["completed"] * 2
