"""One worker that plays series after series and tells what it holds: `long_run.py RUN_DIR MODE`.

It prints a JSON list: after 50 matches and after 300 the matches played and their endings, its
resident memory in bytes, its descriptors, its living descendants, and its bots' folders.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from bots.packing import pack
from engine_service.client import LocalEngine, MatchStart
from tests.workers.sandbox.aftermath import memory_bytes
from tests.workers.sandbox.assault import arena
from workers.match.series import BotSource, LegPlan, Outcome, play_series
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

PAIRS_PER_SERIES = 5
STOPS = (50, 300)
_BASELINES = Path(__file__).parents[3] / "bots" / "baselines"
_RUN = ("python3", "main.py")


class Worker:
    """Plays as a match slot does: stage, play a series, report."""

    def __init__(self, runtime: Runtime) -> None:
        """Pack two baseline bots."""
        self._runtime, self._engine = runtime, LocalEngine()
        self._archives = [pack(_BASELINES / name) for name in ("random", "first_legal")]
        self.endings: Counter[str] = Counter()

    def series(self, number: int) -> None:
        """One series of new pairs."""
        first = number * PAIRS_PER_SERIES
        legs = [leg(p, i) for p in range(first, first + PAIRS_PER_SERIES) for i in (0, 1)]
        bots = [self._source(archive) for archive in self._archives]
        play_series(
            self._engine, bots, legs, Limits(), self._runtime, lambda match, ply: None, self._ended
        )

    def _source(self, archive: bytes) -> BotSource:
        sha256 = hashlib.sha256(archive).hexdigest()
        return BotSource(self._runtime.stage_bot(sha256, lambda: archive), _RUN)

    def _ended(self, outcome: Outcome) -> None:
        self.endings[outcome.replay["result"]["ending"]] += 1


def leg(pair: int, number: int) -> LegPlan:
    """One seating of a pair of Claim."""
    seed = hashlib.sha256(b"pair %d" % pair).hexdigest()
    start = MatchStart(game="claim", options={}, seats=2, seed=seed)
    seeds = (f"{pair:031x}{number}", f"{pair:031x}{number + 2}")
    return LegPlan(f"{pair}.{number}", start, (number, 1 - number), seeds, number)


def main(run_dir: Path, mode: str) -> None:
    told: list[dict[str, Any]] = []
    with arena(run_dir, mode) as here:
        worker, played = Worker(here.runtime), 0
        for number in range(max(STOPS) // (2 * PAIRS_PER_SERIES)):
            worker.series(number)
            played += 2 * PAIRS_PER_SERIES
            if played in STOPS:
                look = here.look()
                told.append(
                    {
                        "matches": played,
                        "endings": dict(worker.endings),
                        "memory": memory_bytes(),
                        "group_memory": look.group_memory,
                        "descriptors": len(os.listdir("/proc/self/fd")),
                        "processes": len(look.processes),
                        "groups": len(look.groups),
                        "files": len(look.files),
                    }
                )
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
