"""What an attack is: a bot's program and the one end it may come to."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workers.sandbox.faults import FaultEnding

HEAD = """
import ctypes, fcntl, json, mmap, os, resource, signal, socket, stat, struct, subprocess, sys
import threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
"""
ASKED = "asked = sys.stdin.readline()\ntry: v = json.loads(asked)\nexcept ValueError: v = {}\n"

_TRY = """
try: print('OK', {expression}, flush=True)
except BaseException as error: print('NO', type(error).__name__, error, flush=True)
"""
_CALL = """
result, number = libc.{call}, ctypes.get_errno()
print('NO' if result == -1 and number in (1, 38) else 'OK', result, number, flush=True)
"""
_SCRIPT = """
try:
{body}
except BaseException as error: print('NO', type(error).__name__, error, flush=True)
"""


@dataclass(frozen=True)
class Expected:
    """How an attack must end: an answer that starts with `line`, or a fault."""

    line: str = ""
    ending: FaultEnding | None = None
    detail: str = ""
    wall: bool = False


BLOCKED = Expected(line="NO")


@dataclass(frozen=True)
class Attack:
    """A bot's code (after its first question was read, unless `deaf`) and how it must end.

    `bare`: run as the bots' user without a sandbox it succeeds and prints OK, harming nobody.
    `plants`: a set-uid copy of Python lies in its folder. `light`: it takes nothing that the next
    attack in the same process would miss.
    """

    name: str
    code: str
    expected: Expected = BLOCKED
    cpu_ms: float = 5000
    wall_ms: float = 20_000
    deaf: bool = False
    question: bytes | None = None
    bare: bool = False
    plants: bool = False
    light: bool = True

    @property
    def program(self) -> str:
        """The whole program."""
        return HEAD + ("" if self.deaf else ASKED) + self.code

    @property
    def shares(self) -> bool:
        """Whether it can be tried in one process with others: it leaves the process as it was."""
        return self.expected == BLOCKED and self.light and not self.plants


def one_after_another(attacks: Sequence[Attack]) -> str:
    """One program that tries an attack per question."""
    codes = [attack.code for attack in attacks]
    tried = textwrap.indent(f"{ASKED}exec(code)", "  ")
    return f"{HEAD}\nfor code in {codes!r}:\n{tried}\nsys.stdin.readline()\n"


def tries(expressions: Mapping[str, str], *, bare: bool = False) -> list[Attack]:
    """Attacks that succeed when an expression has a value; `v` are the facts of the victim."""
    return [Attack(n, _TRY.format(expression=e), bare=bare) for n, e in expressions.items()]


def calls(functions: Mapping[str, str], *, bare: bool = False) -> list[Attack]:
    """Attacks that succeed unless a function of libc says EPERM or ENOSYS."""
    return [Attack(n, _CALL.format(call=c), bare=bare) for n, c in functions.items()]


def scripts(bodies: Mapping[str, str], *, bare: bool = False, light: bool = True) -> list[Attack]:
    """Attacks that print OK or NO themselves, or NO by an exception."""
    whole = {n: _SCRIPT.format(body=textwrap.indent(b, "    ")) for n, b in bodies.items()}
    return [Attack(n, code, bare=bare, light=light) for n, code in whole.items()]
