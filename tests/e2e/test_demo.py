"""The main job as a newcomer runs it: everything real, nothing left behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena_service.store import queries
from arena_service.store.database import open_database
from arena_service.store.match_search import MatchSearch, search
from engine_service.client import LocalEngine

ROOT = Path(__file__).parents[2]
PAIRS = 2
BOTS = 4
MATCHES = BOTS * (BOTS - 1) // 2 * PAIRS * 2


def run_demo(data: Path) -> str:
    command = [sys.executable, "-m", "cli.main", "demo", "--once", "--pairs", str(PAIRS)]
    done = subprocess.run(
        [*command, "--data", str(data)],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "160"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def processes_naming(text: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().decode(errors="replace")
            if text in environment and folder.name != str(os.getpid()):
                found.append((folder / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


@pytest.mark.timeout(600)
def test_the_demo_plays_a_slot_and_a_second_run_carries_on(tmp_path: Path) -> None:
    data = tmp_path / "arena"
    first = run_demo(data)
    for bot in ("random", "first-legal", "greedy", "highest"):
        assert f"demo/{bot}" in first
    second = run_demo(data)
    assert second.count("already there") == BOTS
    db = open_database(f"sqlite:///{data / 'interrex.db'}")
    matches = search(db, MatchSearch(), 500)
    assert len(matches) == 2 * MATCHES
    assert {match.ending for match in matches} == {"completed"}
    replay = queries.replay(db, matches[0].id)
    assert replay is not None
    assert LocalEngine().verify(replay).ok
    assert processes_naming(f"INTERREX_DATA={data}") == []


@pytest.mark.timeout(300)
def test_an_interrupt_ends_the_demo_and_all_it_started(tmp_path: Path) -> None:
    data = tmp_path / "arena"
    command = [sys.executable, "-m", "cli.main", "demo", "--pairs", "1", "--data", str(data)]
    demo = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    for line in demo.stdout:
        if "Serving" in line:
            break
    assert len(processes_naming(f"INTERREX_DATA={data}")) > BOTS
    demo.send_signal(signal.SIGINT)
    assert demo.wait(60) == 0
    demo.stdout.close()
    assert processes_naming(f"INTERREX_DATA={data}") == []
