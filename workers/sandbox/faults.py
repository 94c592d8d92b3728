"""What can go wrong: the bot's fault, which a match records, and a machine that cannot confine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FaultEnding = Literal["timeout", "crash", "illegal_action"]


class SandboxRefused(RuntimeError):
    """The full confinement cannot be had here, and why; a bot is never run with less."""


@dataclass(frozen=True)
class Fault:
    """Why a bot lost; `wall` tells a wall-clock time-out (which a loaded host may have caused)."""

    ending: FaultEnding
    detail: str
    wall: bool = False


@dataclass(frozen=True)
class Answer:
    """The outcome of one question: a line (without its newline) or a fault, and what it cost."""

    line: bytes | None
    cpu_ms: float
    wall_ms: float
    fault: Fault | None = None
