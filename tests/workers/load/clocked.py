"""Matches of Claim whose clocks are looked at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from engine_service.client import LocalEngine
from tests.workers.match.conftest import HOSTILE
from tests.workers.match.plans import pair_legs
from workers.match.evidence import SeatEvidence
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

HALF_BUDGET = Limits(move_cpu_ms=20, bank_cpu_ms=200)


@dataclass(frozen=True)
class Table:
    """Where bots of the hostile folder play."""

    engine: LocalEngine
    runtime: Runtime
    folder: Path

    def play(
        self, scripts: Sequence[str], legs: Sequence[LegPlan], limits: Limits
    ) -> list[Outcome]:
        """Play all legs."""
        outcomes: list[Outcome] = []
        bots = [BotSource(self.folder, ("python3", f"{name}.py")) for name in scripts]
        play_series(
            self.engine, bots, legs, limits, self.runtime, lambda match, ply: None, outcomes.append
        )
        return outcomes


def busy_bot(place: Path, cpu_ms: int) -> Path:
    """A folder with a bot that needs so much CPU time for every decision."""
    place.mkdir()
    for name in ("talk.py", "burns.py"):
        (place / name).write_text((HOSTILE / name).read_text())
    run = f'run = ["python3", "burns.py", "{cpu_ms}"]'
    (place / "bot.toml").write_text(f'name = "busy"\ngames = ["claim"]\n{run}\n')
    return place


def half_budget_matches(table: Table, count: int) -> str:
    """Play matches of a bot that uses half its budget in each move; none may end by a fault.

    Returns what was measured of that bot.
    """
    began = time.monotonic()
    outcomes = table.play(["burns", "honest"], pair_legs(count // 2), HALF_BUDGET)
    seconds = time.monotonic() - began
    endings = [outcome.replay["result"]["ending"] for outcome in outcomes]
    faults = [item.limit for outcome in outcomes for item in outcome.evidence if item.limit]
    assert endings == ["completed"] * count, faults
    seats = [_half_budget_seat(outcome) for outcome in outcomes]
    assert all(len(seat.cpu_per_ply) == len(seat.wall_per_ply) for seat in seats)
    cpu = [cpu_ms for seat in seats for cpu_ms in seat.cpu_per_ply]
    wall = [wall_ms for seat in seats for wall_ms in seat.wall_per_ply]
    overdrawn = max(_taken_from_bank(seat) for seat in seats)
    assert median(cpu) >= 10
    return (
        f"{count} matches in {seconds:.0f} s, {len(cpu)} plies: CPU {_spread(cpu)}, "
        f"wall {_spread(wall)}; at most {overdrawn:.0f} ms taken from a bank"
    )


def _half_budget_seat(outcome: Outcome) -> SeatEvidence:
    """The player with number 0 sits on the seat of the leg's number: `pair.leg` is the match id."""
    return outcome.evidence[int(outcome.match_id.rpartition(".")[2])]


def _taken_from_bank(seat: SeatEvidence) -> float:
    return sum(max(0.0, cpu_ms - HALF_BUDGET.move_cpu_ms) for cpu_ms in seat.cpu_per_ply)


def _spread(times_ms: Sequence[float]) -> str:
    return f"{min(times_ms):.1f} / {median(times_ms):.1f} / {max(times_ms):.1f} ms"
