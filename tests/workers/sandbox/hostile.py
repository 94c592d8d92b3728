"""Play one hostile bot against a real sandbox and look for anything it left behind."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from tests.workers.sandbox.aftermath import Aftermath, settle
from tests.workers.sandbox.attacks.attack import (
    ASKED,
    HEAD,
    Attack,
    Expected,
    one_after_another,
)
from tests.workers.sandbox.victim import PYTHON, Victim, bot_identity
from workers.sandbox.faults import Answer, SandboxRefused
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import STDERR_KEPT_BYTES, Limits
from workers.sandbox.staging import Runtime

_SUBREAPER = 36
_GRACE_S = 2.0


class NeverEnds(Exception):
    """The worker is held up: neither answer nor fault came in time."""


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


class Arena:
    """A worker's surroundings in a hostile hour: what it must guard, and what has happened to it.

    Made once per process, which becomes the reaper of everything that bots might leave to it.
    """

    def __init__(
        self, runtime: Runtime, limits: Limits | None = None, patience_s: float = 3.0
    ) -> None:
        """Start the victim; the secret is in this process' environment and open files too.

        `patience_s`: how long something may take to be gone.
        """
        self._patience_s = patience_s
        self.runtime, self.limits = runtime, limits or Limits()
        self.victim = Victim()
        self._signals = 0
        os.environ["WORKER_SECRET"] = self.victim.secret
        self._leak = os.memfd_create("leak", 0)  # inheritable
        os.write(self._leak, self.victim.secret.encode())
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        signal.signal(signal.SIGURG, self._signalled)
        signal.signal(signal.SIGALRM, _never)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1

    def close(self) -> None:
        """End the victim."""
        self.victim.close()
        os.close(self._leak)
        del os.environ["WORKER_SECRET"]

    def look(self) -> Aftermath:
        """One look around."""
        return Aftermath.look(self.runtime, self.victim, self._signals)

    def question(self, attack: Attack) -> bytes:
        """What the bot is asked: all that it could wish to know."""
        if attack.question is not None:
            return attack.question
        return json.dumps({**self.victim.facts, "memory": self.limits.memory_bytes}).encode()

    def problem(self, attack: Attack) -> str | None:
        """What is wrong after the attack: another end than expected, or something left behind."""
        return self._play([attack], attack.program)[attack.name]

    def problems_together(self, attacks: Sequence[Attack]) -> dict[str, str | None]:
        """The same of attacks that share one process, with a look around after each."""
        return self._play(attacks, one_after_another(attacks))

    def _play(self, attacks: Sequence[Attack], program: str) -> dict[str, str | None]:
        """One bot, asked once per attack."""
        plants = any(attack.plants for attack in attacks)
        before = self.look()
        found: dict[str, str | None] = {}
        try:
            with (
                self._folder(program, plants) as folder,
                BotProcess(folder, ["python3", "main.py"], self.runtime, self.limits) as bot,
            ):
                during = replace(self.look(), group_memory=self.limits.memory_bytes)
                for attack in attacks:
                    found[attack.name] = self._ask(bot, attack)
                    if attack is not attacks[-1]:
                        found[attack.name] = found[attack.name] or self._left(during)
        except (SandboxRefused, NeverEnds) as error:
            name = attacks[min(len(found), len(attacks) - 1)].name
            found[name] = f"{type(error).__name__}: {error}"
        last = list(found)[-1]
        found[last] = found[last] or self._left(before)
        return found

    def _left(self, before: Aftermath) -> str | None:
        left = settle(before, self.look, self._patience_s)
        return f"left behind: {left}" if left else None

    @contextmanager
    def _folder(self, program: str, plants: bool) -> Iterator[Path]:
        folder = stage(self.runtime, program)
        if plants:
            shutil.copyfile(os.path.realpath(PYTHON), folder / "python")
            (folder / "python").chmod(0o4755)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

    def _ask(self, bot: BotProcess, attack: Attack) -> str | None:
        signal.setitimer(signal.ITIMER_REAL, attack.wall_ms / 1000 + _GRACE_S)
        try:
            answer = bot.exchange(self.question(attack), attack.cpu_ms, attack.wall_ms)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        log = bot.stderr_tail
        if self.victim.secret.encode() in (answer.line or b"") + log:
            return f"the secret is out: {answer.line!r}"
        if len(log) > STDERR_KEPT_BYTES:
            return f"{len(log)} bytes of the log are kept"
        wrong = _wrong_end(answer, attack.expected)
        return f"{wrong}: {str(answer)[:300]} {log[-300:]!r}" if wrong else None

    def bare(self, attack: Attack) -> str:
        """What the attack prints without any sandbox, as the bots' user; it should say OK."""
        done = subprocess.run(
            [PYTHON, "-c", attack.program],
            input=self.question(attack) + b"\n",
            capture_output=True,
            timeout=30,
            cwd="/",
            close_fds=False,
            start_new_session=True,
            **bot_identity(),
        )
        said: bytes = done.stdout + done.stderr
        return said.decode(errors="replace")


def _never(number: int, frame: FrameType | None) -> None:
    raise NeverEnds("neither answer nor fault")


def _wrong_end(answer: Answer, expected: Expected) -> str | None:
    fault = answer.fault
    if expected.ending is None:
        said = (answer.line or b"").decode(errors="replace")
        return None if fault is None and said.startswith(expected.line) else "not blocked"
    if fault is None:
        return "no fault"
    same = (fault.ending, fault.wall) == (expected.ending, expected.wall)
    return None if same and expected.detail in fault.detail else "another fault"
