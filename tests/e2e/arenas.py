"""A whole arena as a process of its own, and commands typed at it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from cli.commands import app
from workers.lifetime import die_with_parent

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "cli.main"]
START_SECONDS = 120.0


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Arena:
    """Where it keeps its data, and what is added to the environment of all its processes."""

    data: Path
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def dashboard(self) -> str:
        """The address of the pages."""
        return str(json.loads((self.data / "addresses.json").read_text())["dashboard"])

    def run(self, *words: str) -> Said:
        """A command, whatever becomes of it; in this process, where its environment allows it."""
        if not self.extra:
            done = CliRunner(env={"INTERREX_DATA": str(self.data), "COLUMNS": "160"}).invoke(
                app, words
            )
            return Said(done.exit_code, done.stdout, done.stderr)
        return self._run_outside(*words)

    def told(self, *words: str) -> str:
        """What a command says that succeeds."""
        done = self.run(*words)
        assert done.code == 0, done.out + done.err
        return done.out

    def read(self, *words: str) -> Any:
        """The JSON document of a command."""
        return json.loads(self.told(*words, "--json"))

    def refused(self, *words: str) -> str:
        """Why a command was refused."""
        done = self.run(*words)
        assert done.code not in (0, 1), done.out + done.err
        return done.err

    def _run_outside(self, *words: str) -> Said:
        environment = {**os.environ, "COLUMNS": "160", "INTERREX_DATA": str(self.data)}
        done = subprocess.run(
            [*COMMAND, *words],
            cwd=ROOT,
            env={**environment, **self.extra},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def play_slot(self, ladder: str) -> Any:
        """Make the open slot due; the ladder when it is played and rated."""
        slot = self.read("ladder", "run-now", ladder)["slot"]
        deadline = time.monotonic() + 120
        while True:
            shown = self.read("ladder", "show", ladder)
            played = shown["ladder"]["slot"] > slot and all(
                "rating" in row for row in shown["standings"]
            )
            if played and shown["pairs_done"] == shown["pairs_planned"]:
                return shown
            assert time.monotonic() < deadline, shown
            time.sleep(0.2)


@contextmanager
def running(folder: Path, extra: Mapping[str, str] | None = None) -> Iterator[Arena]:
    """An arena below the folder until the block ends."""
    arena = Arena(folder / "arena", extra or {})
    log = folder / "up.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*COMMAND, "up", "--data", str(arena.data)],
            cwd=ROOT,
            env={**os.environ, **arena.extra},
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
        try:
            _wait_until_up(arena, process, log)
            yield arena
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _wait_until_up(arena: Arena, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not (arena.data / "addresses.json").exists():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
