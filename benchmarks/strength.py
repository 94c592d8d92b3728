"""How much better one bot is than another: credit over pairs with a 95 % interval.

    python -m benchmarks.strength BOT OTHER --game king_is_dead --option variant=cunning --seats 3

A bot is the name of a baseline or a folder; `ismcts@800` is one that searches 800 iterations.
With three seats one BOT meets two of OTHER, with four two of BOT sit opposite each other. The pair
is the unit: the rotations of one deal give one number, and the interval is the one of the arena's
standings. The matches are the same every time, unless a bot looks at a clock; `--deals 2` plays
others. How many pairs brought which credit is printed, so that runs can be added up.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from arena_service.formats.credit import credits_of
from arena_service.ratings.pairs import interval
from bots.manifest import FILE, load
from cli import terms
from engine_service.client import LocalEngine
from workers.match.local import LocalOutcome, play_pairs
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

BASELINES = Path(__file__).parents[1] / "bots" / "baselines"
ITERATIONS = "--iterations"


class Tally:
    """What has been played so far; `credits` by pair, one of the bot for every leg."""

    def __init__(self, lineup: tuple[Path, ...]) -> None:
        """`lineup`: the folders, as `play_pairs` is given them; the first is the bot's."""
        self.lineup = lineup
        self.credits: defaultdict[int, list[float]] = defaultdict(list)
        self.endings: Counter[str] = Counter()
        self.cpu_ms: list[float] = []  # of each answer of the bot
        self.began = time.monotonic()

    def add(self, local: LocalOutcome) -> None:
        """Count a leg."""
        replay = local.outcome.replay
        result = replay["result"]
        self.endings[result["ending"]] += 1
        by_seat = zip(credits_of(result["ranks"], replay.get("teams")), local.seating, strict=True)
        bot = self.lineup[0]
        own = [credit for credit, player in by_seat if self.lineup[player] == bot]
        self.credits[local.pair].append(statistics.fmean(own))
        for evidence in local.outcome.evidence:
            if self.lineup[local.seating[evidence.seat]] == bot:
                self.cpu_ms += evidence.cpu_per_ply

    def report(self, title: str) -> str:
        """One line of result, three of how it came."""
        pairs = [statistics.fmean(legs) for legs in self.credits.values()]
        found = interval(pairs)
        spread = ", ".join(f"{n} of {at:.3g}" for at, n in sorted(Counter(pairs).items()))
        legs = self.endings.total()
        seconds = time.monotonic() - self.began
        mean, worst = statistics.fmean(self.cpu_ms), max(self.cpu_ms)
        return (
            f"{title}: credit {found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"
            f" over {len(pairs)} pairs\n"
            f"  pairs by credit: {spread}\n"
            f"  {dict(self.endings)}, {seconds:.0f} s, {1000 * seconds / legs:.0f} ms a match\n"
            f"  CPU time of an answer: {mean:.1f} ms, at most {worst:.0f} ms"
        )


def main() -> None:
    """Play and print."""
    asked = _arguments().parse_args()
    with tempfile.TemporaryDirectory() as run_dir:
        bot, other = (_folder(name, Path(run_dir)) for name in (asked.bot, asked.other))
        lineup = tuple((bot, other)[seat % 2] for seat in range(asked.seats))
        if asked.seats == 3:
            lineup = (bot, other, other)
        tally = Tally(lineup)
        runtime = Runtime.prepare(Path(run_dir))
        try:
            play_pairs(
                lineup,
                asked.game,
                terms.options(asked.option),
                asked.pairs,
                hashlib.sha256(f"interrex strength {asked.deals}".encode()).hexdigest(),
                LocalEngine(),
                runtime,
                tally.add,
                Limits(move_cpu_ms=asked.move_cpu_ms),
            )
        finally:
            runtime.close()
    what = " ".join([asked.game, *asked.option, f"{asked.seats} seats"])
    print(tally.report(f"{asked.bot} v {asked.other}, {what}"))


def _arguments() -> argparse.ArgumentParser:
    known = ", ".join(sorted(folder.parent.name for folder in BASELINES.glob(f"*/{FILE}")))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength")
    parser.add_argument("bot", help=f"a folder, or one of {known}")
    parser.add_argument("other")
    parser.add_argument("--game", default="claim")
    parser.add_argument("--option", metavar="NAME=VALUE", action="append", default=[])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--deals", type=int, default=1, metavar="NUMBER", help="which to play")
    parser.add_argument("--move-cpu-ms", type=int, default=Limits().move_cpu_ms)
    return parser


def _folder(name: str, run_dir: Path) -> Path:
    """Where the bot is; for a number of iterations of its own, a copy that starts so."""
    name, _, iterations = name.partition("@")
    baseline = BASELINES / name.replace("-", "_")
    folder = baseline if baseline.is_dir() else Path(name)
    if not iterations:
        return folder
    copy = run_dir / f"{folder.name}-{iterations}"
    shutil.copytree(folder, copy)
    manifest = load(folder)
    run = manifest.run[: manifest.run.index(ITERATIONS) + 1]
    fields = {"name": manifest.name, "games": manifest.games, "run": [*run, iterations]}
    lines = (f"{field} = {json.dumps(value)}\n" for field, value in fields.items())
    (copy / FILE).write_text("".join(lines))
    return copy


if __name__ == "__main__":
    main()
