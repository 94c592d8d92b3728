"""Play one hostile bot against a real sandbox and look for anything it left behind."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from workers.sandbox.faults import Answer, FaultEnding
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

HEAD = """
import ctypes, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
"""
ASKED = "sys.stdin.readline()\n"


@dataclass(frozen=True)
class Expected:
    """How an attack must end: an answer that starts with `line`, or a fault."""

    line: str = ""
    ending: FaultEnding | None = None
    detail: str = ""
    wall: bool = False


@dataclass(frozen=True)
class Attack:
    """A bot's code (after its first question was read, unless `deaf`) and how it must end."""

    name: str
    code: str
    expected: Expected
    cpu_ms: float = 5000
    wall_ms: float = 20_000
    deaf: bool = False
    question: bytes = b"go"


def stage(runtime: Runtime, code: str) -> Path:
    """A bot's folder with this program."""
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "main.py").write_text(code)
        return runtime.stage_folder(Path(made))


def start(runtime: Runtime, code: str, limits: Limits | None = None) -> BotProcess:
    """A running bot with this program."""
    return BotProcess(stage(runtime, code), ["python3", "main.py"], runtime, limits or Limits())


def ask(runtime: Runtime, code: str, cpu_ms: float = 5000, wall_ms: float = 20_000) -> Answer:
    """The answer of a bot with this program to one question."""
    with start(runtime, HEAD + ASKED + code) as bot:
        return bot.exchange(b"go", cpu_ms, wall_ms)


def problem(runtime: Runtime, attack: Attack) -> str | None:
    """What is wrong after the attack: another end than expected, or something left behind."""
    code = HEAD + ("" if attack.deaf else ASKED) + attack.code
    before = len(os.listdir("/proc/self/fd"))
    with start(runtime, code) as bot:
        answer = bot.exchange(attack.question, attack.cpu_ms, attack.wall_ms)
        log = bot.stderr_tail[-300:]
    left = remains(runtime, bot.pid)
    if len(os.listdir("/proc/self/fd")) != before:
        left.append("descriptors")
    if left:
        return f"left behind: {left}"
    wrong = _wrong_end(answer, attack.expected)
    return f"{wrong}; {answer} {log!r}" if wrong else None


def _wrong_end(answer: Answer, expected: Expected) -> str | None:
    fault = answer.fault
    if expected.ending is None:
        said = (answer.line or b"").decode(errors="replace")
        return None if fault is None and said.startswith(expected.line) else "not blocked"
    if fault is None:
        return "no fault"
    same = (fault.ending, fault.wall) == (expected.ending, expected.wall)
    return None if same and expected.detail in fault.detail else "another fault"


def remains(runtime: Runtime, pid: int) -> list[str]:
    """The process and the cgroups that should be gone; a process gets a moment to be reaped."""
    until = time.monotonic() + 2
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.005)
    left = [f"process {pid}"] if lives(pid) else []
    folders = runtime.cgroups.folders if runtime.cgroups else ()
    return left + [str(g) for f in folders for g in f.glob(f"bot-{os.getpid()}-*")]


def lives(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
