"""Start the processes of an arena, keep them alive, and end them all."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from workers.lifetime import die_with_parent

MAX_FAILURES = 5
MAX_PAUSE_SECONDS = 10.0
STOP_SECONDS = 10.0
START_SECONDS = 120.0
LOOK_SECONDS = 0.1


class SupervisorError(RuntimeError):
    """A process could not be kept alive; the message names it and where its log lies."""


@dataclass(frozen=True)
class Program:
    """One process to run: what to start and how to see that it works.

    `awaited`: those after it start when it works, because they look for it at once. Those that
    stop `together` are asked to before all others, and all at once.
    """

    name: str
    argv: Sequence[str]
    healthy: Callable[[], bool]
    awaited: bool = False
    together: bool = False


@dataclass
class _Child:
    """`unhealthy_starts` in a row set the pause; those that were `failures` end the patience."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    unhealthy_starts: int = 0
    failures: int = 0
    was_healthy: bool = False
    started_at: float = 0.0
    restart_at: float = 0.0


@dataclass
class Supervisor:
    """Runs programs; `watch` restarts the dead with a growing pause.

    Must live in the main thread: the children are tied to the thread that started them.
    """

    programs: Sequence[Program]
    log_dir: Path
    environment: dict[str, str]
    say: Callable[[str], None]
    _children: list[_Child] = field(default_factory=list)

    def start(self) -> None:
        """Start the programs in their order, until all are healthy; raises SupervisorError."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        for program in self.programs:
            child = _Child(program)
            self._children.append(child)
            self._spawn(child)
            if program.awaited:
                self._wait_for([child])
        self._wait_for(self._children)

    def _wait_for(self, children: Sequence[_Child]) -> None:
        """Watch all meanwhile: a program may wait for one that was started before it and died."""
        while not all(child.was_healthy for child in children):
            self.watch()
            time.sleep(LOOK_SECONDS)

    def watch(self) -> None:
        """Look at every child once; restarts what died."""
        for child in self._children:
            self._check(child)

    def owns(self, pid: int) -> bool:
        """Whether it is a child or below one: each child leads a session."""
        try:
            session = os.getsid(pid)
        except ProcessLookupError:
            return False
        return any(
            each.process is not None and each.process.pid == session for each in self._children
        )

    def stop(self) -> None:
        """End the children in reverse order: SIGTERM, then SIGKILL to what remains."""
        for child in self._children:
            if child.program.together and child.process is not None:
                child.process.terminate()
        for child in reversed(self._children):
            _terminate(child.process)
        self._children.clear()

    def _spawn(self, child: _Child) -> None:
        log = self.log_dir / f"{child.program.name}.log"
        with log.open("ab") as sink:
            child.process = subprocess.Popen(
                list(child.program.argv),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env=self.environment,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, os.getpid()),
            )
        child.started_at = time.monotonic()
        child.was_healthy = False

    def _check(self, child: _Child) -> None:
        process, now = child.process, time.monotonic()
        if process is None:
            if now >= child.restart_at:
                self._spawn(child)
        elif process.poll() is not None:
            # Killed from outside: it says nothing about the program (docs/decisions/0005).
            killed = process.returncode == -signal.SIGKILL
            self._died(child, f"ended with code {process.returncode}", failed=not killed)
        elif not child.was_healthy and child.program.healthy():
            child.was_healthy, child.unhealthy_starts, child.failures = True, 0, 0
        elif not child.was_healthy and now - child.started_at > START_SECONDS:
            _terminate(process)
            self._died(child, f"was not ready after {START_SECONDS:.0f} s", failed=True)

    def _died(self, child: _Child, what: str, *, failed: bool) -> None:
        name = child.program.name
        log = self.log_dir / f"{name}.log"
        child.unhealthy_starts += not child.was_healthy
        child.failures += failed and not child.was_healthy
        if child.failures >= MAX_FAILURES:
            raise SupervisorError(
                f"{name} {what}, {MAX_FAILURES} starts never became healthy; "
                f"its log is {log}:\n{_tail(log)}"
            )
        pause = min(MAX_PAUSE_SECONDS, 0.25 * 2**child.unhealthy_starts)
        self.say(f"{name} {what}; starting it again in {pause:.1f} s (log: {log})")
        child.process, child.restart_at = None, time.monotonic() + pause


def _terminate(process: subprocess.Popen[bytes] | None) -> None:
    """End a child and whatever it left in its own session."""
    if process is None:
        return
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _tail(path: Path, size: int = 2000) -> str:
    return path.read_bytes()[-size:].decode(errors="replace") if path.exists() else ""
