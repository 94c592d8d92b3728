"""A machine that stands still in the middle of a match, for longer than any wall cap."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.load.clocked import busy_bot

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]

INTERREX = Path(sys.executable).parent / "interrex"
FREEZE_S = 25  # the wall cap is 11 s, and 22 s with all that a stall can add
DEADLINE_S = 60


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`interrex play` with a bot that has the turn most of the time."""
    busy_bot(tmp_path / "busy", cpu_ms=100)
    line = [INTERREX, "play", tmp_path / "busy", "first-legal", "--game", "claim", "--pairs", "2"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, start_new_session=True)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("stopped", ["the runner", "runner and bots"])
def test_nobody_loses_a_match_to_it(stopped: str, runner: subprocess.Popen[str]) -> None:
    bots = _bots(runner.pid)
    frozen = [runner.pid, *(bots if stopped == "runner and bots" else [])]
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(FREEZE_S)
    runner.send_signal(signal.SIGCONT)
    said, _ = runner.communicate(timeout=DEADLINE_S)
    assert runner.returncode == 0
    assert ", 0 faults" in said


def _bots(runner: int) -> list[int]:
    """The bots of a runner, as soon as one of them has used the CPU time of some decisions."""
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        bots = [bot for bwrap in _children(runner) for bot in _children(bwrap)]
        if any(_cpu_s(bot) > 0.5 for bot in bots):
            return bots
        time.sleep(0.02)
    raise AssertionError("no bot has begun to play")


def _children(pid: int) -> list[int]:
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def _cpu_s(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0
