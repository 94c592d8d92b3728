"""Processes are kept alive, given up loudly, and never left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cli.supervisor import MAX_FAILURES, Program, Supervisor, SupervisorError

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def supervise(tmp_path: Path, *programs: Program) -> tuple[Supervisor, list[str]]:
    said: list[str] = []
    return Supervisor(programs, tmp_path, dict(os.environ), said.append), said


def pid_of(supervisor: Supervisor) -> int:
    """Of the first program; 0 between two starts."""
    process = supervisor._children[0].process
    return 0 if process is None else process.pid


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_killed_program_is_started_again(tmp_path: Path) -> None:
    supervisor, said = supervise(tmp_path, Program("sleeper", SLEEPER, lambda: True))
    supervisor.start()
    first = pid_of(supervisor)
    os.kill(first, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        supervisor.watch()
        process = supervisor._children[0].process
        if process is not None and process.pid != first:
            break
        time.sleep(0.02)
    second = pid_of(supervisor)
    supervisor.stop()
    assert second != first
    assert "sleeper ended with code -9" in said[0]
    assert not alive(second)


def test_a_program_is_started_again_while_the_next_one_waits_for_it(tmp_path: Path) -> None:
    first = Program("first", SLEEPER, lambda: True)
    second = Program("second", SLEEPER, lambda: len(said) == 1 and alive(pid_of(supervisor)))
    supervisor, said = supervise(tmp_path, first, second)
    killer = threading.Thread(target=kill_children, args=(supervisor, said, 1))
    killer.start()
    supervisor.start()
    killer.join()
    supervisor.stop()
    assert "first ended with code -9" in said[0]


def test_a_program_that_never_works_is_given_up_with_its_log(tmp_path: Path) -> None:
    broken = Program(
        "broken", [sys.executable, "-c", "raise SystemExit('no such luck')"], lambda: False
    )
    supervisor, said = supervise(tmp_path, broken)
    with pytest.raises(SupervisorError, match="no such luck"):
        supervisor.start()
    supervisor.stop()
    assert len(said) == MAX_FAILURES - 1


def test_kills_from_outside_are_no_failures_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.supervisor.MAX_PAUSE_SECONDS", 0.05)
    kills = MAX_FAILURES + 2
    supervisor, said = supervise(tmp_path, Program("slow", SLEEPER, lambda: len(said) >= kills))
    killer = threading.Thread(target=kill_children, args=(supervisor, said, kills))
    killer.start()
    supervisor.start()
    killer.join()
    last = pid_of(supervisor)
    assert alive(last)
    assert len(said) == kills
    supervisor.stop()
    assert not alive(last)


def kill_children(supervisor: Supervisor, said: list[str], kills: int) -> None:
    """Kill each start until so many deaths were noticed."""
    killed: set[int] = set()
    while len(said) < kills:
        process = supervisor._children[0].process if supervisor._children else None
        if process is not None and process.pid not in killed:
            process.kill()
            killed.add(process.pid)
        time.sleep(0.01)


def test_children_die_with_a_killed_supervisor(tmp_path: Path) -> None:
    script = (
        "import os, sys, time; from pathlib import Path\n"
        "from cli.supervisor import Program, Supervisor\n"
        f"programs = [Program('sleeper', {SLEEPER!r}, lambda: True)]\n"
        f"s = Supervisor(programs, Path({str(tmp_path)!r}), dict(os.environ), print)\n"
        "s.start(); print(s._children[0].process.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(child)
