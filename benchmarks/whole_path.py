"""What a match costs on the whole path: `python -m benchmarks.whole_path [PAIRS]`.

Starts an arena (broker, engine, API, two match slots, control, beat, dashboard), submits two
copies of `random`, and plays one ladder slot. Prints matches/s from the moment the slot is due to
the last result, and CPU ms per ply over all processes, less what an idle arena of that age costs.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena_service.store.database import Database, open_database
from arena_service.store.match_search import MatchSearch, search

BASELINE = Path(__file__).parents[1] / "bots" / "baselines" / "random"
INTERREX = [sys.executable, "-m", "cli.main"]
PLIES = 52
ROWS = 500


def children_cpu() -> float:
    """CPU seconds of all ended descendants that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def interrex(data: Path, *arguments: str) -> str:
    """Run one command on the arena."""
    command = [*INTERREX, *arguments, "--data", str(data)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def start(data: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start an arena and wait until it has published its addresses."""
    command = [*INTERREX, "up", "--data", str(data), *options]
    up = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not (data / "addresses.json").exists():
        if up.poll() is not None:
            raise SystemExit("the arena did not start")
        time.sleep(0.1)
    return up


def stop(up: subprocess.Popen[bytes]) -> None:
    """End the arena and wait for it, so that its CPU time is counted."""
    up.send_signal(signal.SIGTERM)
    up.wait()


def prepare(data: Path, folder: Path, pairs: int) -> None:
    """Two bots on a ladder, ready to be run."""
    interrex(data, "user", "create", "bench")
    interrex(data, "ladder", "create", "bench", "--pairs", str(pairs))
    for name in ("random-a", "random-b"):
        copy = folder / name
        shutil.copytree(BASELINE, copy)
        manifest = (copy / "bot.toml").read_text().replace('"random"', f'"{name}"')
        (copy / "bot.toml").write_text(manifest)
        interrex(data, "bot", "submit", str(copy))
        interrex(data, "ladder", "enter", "bench", name)


def play(data: Path, pairs: int) -> float:
    """Run the slot; returns seconds from the moment it was made due to the last result."""
    database: Database = open_database(f"sqlite:///{data / 'interrex.db'}")
    interrex(data, "ladder", "run-now", "bench")
    began = time.monotonic()
    while True:
        shown = json.loads(interrex(data, "ladder", "show", "bench", "--json"))
        if shown["pairs_planned"] and shown["pairs_done"] == shown["pairs_planned"]:
            break
        time.sleep(0.5)
    seconds = time.monotonic() - began
    assert len(search(database, MatchSearch(), ROWS)) == min(ROWS, 2 * pairs)
    return seconds


def measure(pairs: int, *, idle_seconds: float | None) -> tuple[float, float]:
    """One arena from start to stop: seconds played (or idled) and CPU seconds used."""
    before = children_cpu()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "arena"
        up = start(data)
        prepare(data, Path(folder), pairs)
        if idle_seconds is None:
            seconds = play(data, pairs)
        else:
            seconds = idle_seconds
            time.sleep(seconds)
        stop(up)
    return seconds, children_cpu() - before


def main() -> None:
    """Measure and print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seconds, cpu = measure(pairs, idle_seconds=None)
    _, idle_cpu = measure(pairs, idle_seconds=seconds)
    matches = 2 * pairs
    print(f"{matches} matches in {seconds:.1f} s on {os.cpu_count()} cores")
    print(f"{matches / seconds:.1f} matches/s")
    print(f"{1000 * (cpu - idle_cpu) / (matches * PLIES):.2f} CPU ms per ply")


if __name__ == "__main__":
    main()
