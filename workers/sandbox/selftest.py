"""Before a worker takes matches it runs one bot that tries to get out; a leak refuses it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from workers.sandbox import command, probes
from workers.sandbox.faults import SandboxRefused
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

_START_MS, _WALL_MS, _SPIN_MS = 10_000.0, 30_000.0, 20.0


@dataclass(frozen=True)
class Report:
    """What the sandbox of this worker is made of, for its log and the admin page."""

    mode: str
    bwrap: str
    python: str
    version: str
    took_ms: float

    def __str__(self) -> str:
        """One line for a log."""
        return (
            f"{self.mode}, {self.bwrap}, bots run by {self.python} ({self.version}), "
            f"self-test {self.took_ms:.0f} ms"
        )


def check(runtime: Runtime) -> Report:
    """Run the probes; raises SandboxRefused that names what does not hold."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copyfile(probes.__file__, folder / "main.py")
        staged = runtime.stage_folder(folder)
    try:
        _probe(runtime, staged)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    version = ".".join(map(str, runtime.python.version))
    took = (time.monotonic() - began) * 1000
    return Report(runtime.mode, str(runtime.bwrap), runtime.python.path, version, took)


def _probe(runtime: Runtime, staged: Path) -> None:
    facts = {
        "environment": sorted(command.ENVIRONMENT),
        "hidden": str(runtime.root / "lock"),
        "pid": os.getpid(),
    }
    with BotProcess(staged, ["python3", "main.py"], runtime, Limits()) as bot:
        answer = bot.exchange(json.dumps(facts).encode(), _START_MS, _WALL_MS)
        if answer.line is None:
            said = bot.stderr_tail.decode(errors="replace").strip()[-300:]
            raise SandboxRefused(f"the self-test's bot does not run: {answer.fault} {said}".strip())
        found = json.loads(answer.line)
        if found:
            raise SandboxRefused(f"the self-test's bot {'; '.join(found)}")
        _check_clock(bot)


def _check_clock(bot: BotProcess) -> None:
    """A bot that spins is stopped by its CPU clock, and stands still from then on."""
    fault = bot.exchange(b"", _SPIN_MS, _WALL_MS).fault
    if fault is None or fault.ending != "timeout" or fault.wall:
        raise SandboxRefused(f"CPU time cannot be judged here: {fault}")
    time.sleep(0.01)
    before = bot.cpu_ms()
    time.sleep(0.02)
    if bot.cpu_ms() - before > 1.0:
        raise SandboxRefused("a stopped bot runs on")
