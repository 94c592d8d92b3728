"""Kill match workers with -9 at random moments: every planned match is accepted once."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_service.store import queries
from arena_service.store.database import open_database
from engine_service.client import LocalEngine
from engine_service.core import seeds

ROOT = Path(__file__).parents[2]
KILLS = 12
SLOTS = 2
PAIRS = 6
BOTS = ("random", "first_legal", "greedy", "highest")
MATCHES = len(BOTS) * (len(BOTS) - 1) // 2 * PAIRS * 2
INTERREX = [sys.executable, "-m", "cli.main"]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Path]:
    data = tmp_path / "arena"
    environment = {**os.environ, "INTERREX_LEASE_SECONDS": "3"}
    up = subprocess.Popen([*INTERREX, "up", "--data", str(data)], cwd=ROOT, env=environment)
    deadline = time.monotonic() + 90
    while not (data / "addresses.json").exists():
        assert up.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    yield data
    up.send_signal(signal.SIGTERM)
    up.wait(60)


def interrex(data: Path, *arguments: str) -> str:
    command = [*INTERREX, *arguments, "--data", str(data)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def slot_processes(data: Path) -> list[int]:
    """Processes of the match worker: the parent and its forked slots."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            mine = f"INTERREX_DATA={data}".encode() in (folder / "environ").read_bytes()
            worker = b"-Q\0matches\0" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mine and worker:
            found.append(int(folder.name))
    return sorted(found)


def complete_slot(data: Path) -> dict[str, str]:
    """The slot that was played, once the arena has published its key."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        slots = json.loads(interrex(data, "ladder", "slots", "kills", "--json"))
        for slot in slots:
            if slot["key"]:
                return dict(slot)
        time.sleep(0.5)
    raise AssertionError(f"no key was published: {slots}")


@pytest.mark.timeout(400)
def test_killed_workers_lose_and_double_nothing(arena: Path) -> None:
    interrex(arena, "user", "create", "organiser")
    interrex(arena, "ladder", "create", "kills", "--pairs", str(PAIRS))
    for bot in BOTS:
        interrex(arena, "bot", "submit", str(ROOT / "bots" / "baselines" / bot))
        interrex(arena, "ladder", "enter", "kills", bot.replace("_", "-"))
    interrex(arena, "ladder", "run-now", "kills")
    db = open_database(f"sqlite:///{arena / 'interrex.db'}")
    chance, kills = random.Random(20), 0
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        rows = queries.matches(db, None, 500, 0)
        if len(rows) == MATCHES and all(row.ending for row in rows):
            break
        victims = slot_processes(arena)
        # Only a whole worker: five kills during start-up would, rightly, end the arena.
        if kills < KILLS and rows and len(victims) > SLOTS:
            os.kill(chance.choice(victims), signal.SIGKILL)
            kills += 1
        time.sleep(chance.uniform(0.6, 1.2))
    rows = queries.matches(db, None, 500, 0)
    accepted = [row for row in rows if row.ending]
    print(f"planned {len(rows)}, accepted {len(accepted)}, kills {kills}")
    assert kills >= 10
    assert (len(rows), len(accepted)) == (MATCHES, MATCHES)
    assert Counter(row.ending for row in rows) == {"completed": MATCHES}
    slot = complete_slot(arena)
    key = bytes.fromhex(slot["key"])
    assert seeds.commitment(key) == slot["commitment"]
    engine = LocalEngine()
    for row in rows:
        replay = queries.replay(db, row.id)
        assert replay is not None
        assert engine.verify(replay).ok
        seed = seeds.deal_seed(key, slot["event"], slot["entrants_digest"], row.pair)
        assert json.loads(replay)["seed"] == seed.hex()
