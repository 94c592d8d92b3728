"""One untrusted bot: asked and answering by lines, running only while asked, judged by CPU time."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from workers.sandbox.confined import Confined
from workers.sandbox.faults import Answer, Fault, SandboxRefused
from workers.sandbox.limits import Limits
from workers.sandbox.pipes import Pipes
from workers.sandbox.staging import Runtime

__all__ = ["Answer", "BotProcess", "Fault", "SandboxRefused"]

_SHORTEST_NAP_S = 0.001
_PROCESSORS = os.cpu_count() or 1


@dataclass(frozen=True)
class _Question:
    """An open question: its budgets, when it was asked, and a fault already known by then."""

    cpu_ms: float
    wall_ms: float
    asked: float
    fault: Fault | None

    def wall_used_ms(self) -> float:
        return (time.monotonic() - self.asked) * 1000


class BotProcess:
    """A bot in its sandbox. Made in the main thread; use it as a context manager."""

    def __init__(
        self, bot_dir: Path, argv: Sequence[str], runtime: Runtime, limits: Limits
    ) -> None:
        """Start the bot, stopped before its first instruction; raises SandboxRefused.

        `bot_dir` comes from the runtime's staging; `argv` is the manifest's `run`.
        """
        self._confined = Confined(bot_dir, argv, runtime, limits)
        self.pid = self._confined.pid
        stdin, stdout, stderr, pidfd = self._confined.descriptors
        self._pipes = Pipes(stdin, stdout, stderr, pidfd)
        self._question: _Question | None = None
        self._charged_ns = self._confined.cpu_ns()

    def __enter__(self) -> BotProcess:
        """The bot itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill it."""
        self.close()

    @property
    def stderr_tail(self) -> bytes:
        """The last 64 KiB the bot wrote to its log since `new_match`."""
        return bytes(self._pipes.log)

    def new_match(self) -> None:
        """Start the log and its limit anew: they count per match."""
        self._pipes.pump(0)
        self._pipes.forget_log()

    def cpu_ms(self) -> float:
        """CPU time of all its threads since the start, readable after the end too."""
        return self._confined.cpu_ns() / 1e6

    def stop(self) -> None:
        """Take the CPU from it: it is not its turn."""
        self._confined.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run on."""
        self._confined.signal(signal.SIGCONT)

    def send(self, data: bytes) -> None:
        """Queue bytes for its stdin; they move with `pump`, or with the next question."""
        self._pipes.unsent += data

    def pump(self, timeout: float) -> None:
        """Move what waits between pipes and buffers, after at most so many seconds."""
        self._pipes.pump(timeout)

    def exchange(self, line: bytes, cpu_ms: float, wall_ms: float) -> Answer:
        """Send a line and wait for one; the bot runs only in between."""
        self.ask(line, cpu_ms, wall_ms)
        while (answer := self.poll(wall_ms / 1000)) is None:
            pass
        return answer

    def ask(self, line: bytes, cpu_ms: float, wall_ms: float) -> None:
        """Send a line (a newline is added) and let the bot run; `poll` brings the answer.

        Output that already waits was asked by nobody: it is judged now, and the bot stays stopped.
        """
        self._pipes.pump(0)
        fault = self._pipes.fault()
        if fault is None and self._pipes.unread:
            fault = Fault("illegal_action", "output that nobody asked for")
        self._question = _Question(cpu_ms, wall_ms, time.monotonic(), fault)
        self.send(line.rstrip(b"\n") + b"\n")
        if fault is None:
            self.resume()

    def poll(self, timeout: float) -> Answer | None:
        """The answer to `ask` within so many seconds, else None; with the answer the bot stops."""
        question, until = self._question, time.monotonic() + timeout
        if question is None:
            raise RuntimeError("nothing was asked")
        fault = question.fault
        while True:
            fault = fault or self._pipes.fault()
            line = self._pipes.take_line() if fault is None else None
            if line is not None:
                return self._finish(question, line, None)
            fault = fault or self._late(question) or self._dead()
            if fault is not None:
                return self._finish(question, None, fault)
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._pipes.pump(min(left, self._nap_s(question)))

    def _finish(self, question: _Question, line: bytes | None, fault: Fault | None) -> Answer:
        """Stop the bot and charge it; the few microseconds until it really stops go to the next."""
        self.stop()
        self._question = None
        used, wall = self._used_ms(), question.wall_used_ms()
        self._charged_ns = self._confined.cpu_ns()
        if fault is None and self._pipes.unread:
            fault = Fault("illegal_action", "a second line in one answer")
        if fault is None and used > question.cpu_ms:
            fault = _cpu_timeout(question)
        return Answer(line if fault is None else None, used, wall, fault)

    def _used_ms(self) -> float:
        return (self._confined.cpu_ns() - self._charged_ns) / 1e6

    def _late(self, question: _Question) -> Fault | None:
        if self._used_ms() >= question.cpu_ms:
            return _cpu_timeout(question)
        if question.wall_used_ms() >= question.wall_ms:
            return Fault(
                "timeout", f"no answer within {question.wall_ms:.0f} ms of wall time", True
            )
        return None

    def _dead(self) -> Fault | None:
        return Fault("crash", self._confined.death()) if self._pipes.ended else None

    def _nap_s(self, question: _Question) -> float:
        """How long may pass before the clocks must be read: the CPU cannot be spent sooner."""
        wall_left = question.wall_ms - question.wall_used_ms()
        cpu_left = (question.cpu_ms - self._used_ms()) / _PROCESSORS
        return max(_SHORTEST_NAP_S, min(wall_left, cpu_left) / 1000)

    def close(self) -> None:
        """Kill everything inside and free what it held; may be called again."""
        self._confined.close()


def _cpu_timeout(question: _Question) -> Fault:
    return Fault("timeout", f"more than {question.cpu_ms:.0f} ms of CPU time")
