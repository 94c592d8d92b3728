"""Matches per second with one and with two workers: `python -m benchmarks.workers [PAIRS]`.

An arena that plays nothing itself, and `interrex worker start` with one slot each: they know the
API and a token, and bring an engine of their own. The bots sleep for most of their time, so that
workers that share this machine get on nearly as if each had its own.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.store.database import Database, open_database
from arena_service.store.tables import Match, Result
from benchmarks.whole_path import INTERREX, interrex, start, stop

PAIRS = 40
THINK_SECONDS = 0.02
BOTS = ("slow-a", "slow-b")
PROGRAM = f"""import time
from bots.sdk import Bot, Turn, run


class Slow(Bot):
    def choose(self, turn: Turn) -> str:
        time.sleep({THINK_SECONDS})
        return turn.legal[0]


run(Slow)
"""


def prepare(data: Path, folder: Path, pairs: int) -> None:
    """Two bots on a ladder, ready to be run."""
    interrex(data, "user", "create", "bench")
    interrex(data, "ladder", "create", "bench", "--pairs", str(pairs))
    for name in BOTS:
        bot = folder / name
        bot.mkdir()
        run = json.dumps(["python3", "main.py"])
        manifest = f'name = "{name}"\ngames = ["claim"]\nrun = {run}\nprotocol = "json"\n'
        (bot / "bot.toml").write_text(manifest)
        (bot / "main.py").write_text(PROGRAM)
        interrex(data, "bot", "submit", str(bot))
        interrex(data, "ladder", "enter", "bench", name)


def worker(data: Path, folder: Path, name: str, address: str) -> subprocess.Popen[bytes]:
    """A worker that knows an address and a token."""
    token = folder / f"{name}.token"
    interrex(data, "worker", "token", "create", name, "--file", str(token))
    words = ["--arena", address, "--token-file", str(token), "--slots", "1"]
    return subprocess.Popen(
        [*INTERREX, "worker", "start", *words, "--data", str(folder / name)],
        env={k: v for k, v in os.environ.items() if not k.startswith("INTERREX_")},
        stderr=subprocess.DEVNULL,
    )


def accepted(database: Database) -> int:
    """Results of the ladder."""
    results = (
        select(func.count()).select_from(Result).join(Match, col(Match.id) == col(Result.match))
    )
    with database.read() as session:
        return session.scalar(results.where(col(Match.event).is_not(None))) or 0


def play(data: Path, matches: int) -> float:
    """Run the slot; returns seconds from its first result to its last."""
    database = open_database(f"sqlite:///{data / 'interrex.db'}")
    interrex(data, "ladder", "run-now", "bench")
    while accepted(database) == 0:
        time.sleep(0.1)
    began = time.monotonic()
    while accepted(database) < matches:
        time.sleep(0.1)
    return time.monotonic() - began


def measure(workers: int, pairs: int) -> float:
    """Matches per second of so many workers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "arena"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            address = f"127.0.0.1:{probe.getsockname()[1]}"
        up = start(data, "--slots", "0", "--api", address)
        running = [worker(data, folder, f"far-{each}", address) for each in range(workers)]
        try:
            prepare(data, folder, pairs)
            return 2 * pairs / play(data, 2 * pairs)
        finally:
            for each in running:
                stop(each)
            stop(up)


def main() -> None:
    """Measure and print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    for workers in (1, 2):
        print(f"{workers} worker(s): {measure(workers, pairs):.2f} matches/s", flush=True)


if __name__ == "__main__":
    main()
