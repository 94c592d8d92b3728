"""How much better one baseline is than another: credit over pairs with a 95 % interval.

    python -m benchmarks.strength [BOT] [OTHER] [PAIRS]

The pair is the unit: both seatings of one deal give one number, and the interval is the mean of
those numbers plus and minus 1.96 standard errors.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from engine_service.client import LocalEngine
from workers.match.local import LocalOutcome, play_pairs
from workers.sandbox.staging import Runtime

BASELINES = Path(__file__).parents[1] / "bots" / "baselines"
CREDIT = {(1, 2): 1.0, (2, 1): 0.0, (1, 1): 0.5}


def main(bot: str, other: str, pairs: int) -> None:
    """Play and print."""
    credits: dict[int, list[float]] = {}
    endings: Counter[str] = Counter()

    def count(local: LocalOutcome) -> None:
        result = local.outcome.replay["result"]
        endings[result["ending"]] += 1
        ranks = [result["ranks"][local.seating.index(player)] for player in (0, 1)]
        credits.setdefault(local.pair, []).append(CREDIT[ranks[0], ranks[1]])

    key = hashlib.sha256(b"interrex strength 1").hexdigest()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as run_dir:
        runtime = Runtime.prepare(Path(run_dir))
        try:
            folders = [BASELINES / bot, BASELINES / other]
            play_pairs(folders, "claim", {}, pairs, key, LocalEngine(), runtime, count)
        finally:
            runtime.close()
    means = [statistics.fmean(legs) for legs in credits.values()]
    report(bot, other, means, endings, time.monotonic() - began)


def report(bot: str, other: str, means: list[float], endings: Counter[str], seconds: float) -> None:
    """One line of result, one of how it came."""
    credit = statistics.fmean(means)
    margin = 1.96 * statistics.stdev(means) / len(means) ** 0.5 if len(means) > 1 else 0.5
    low, high = max(0.0, credit - margin), min(1.0, credit + margin)
    print(f"{bot} v {other}: credit {credit:.3f} [{low:.3f}, {high:.3f}] over {len(means)} pairs")
    print(f"  {dict(endings)}, {seconds:.0f} s, {1000 * seconds / (2 * len(means)):.0f} ms a match")


if __name__ == "__main__":
    bot, other, pairs = [*sys.argv[1:], *["greedy", "random", "400"][len(sys.argv) - 1 :]]
    main(bot, other, int(pairs))
