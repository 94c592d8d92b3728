"""Which Python runs the bots: `python3` as the first word of a manifest's `run` means this one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workers.sandbox.faults import SandboxRefused

VARIABLE = "INTERREX_BOT_PYTHON"
OLDEST = (3, 11)
_CANDIDATES = ("/usr/bin/python3", "/usr/local/bin/python3")
_FACTS = "import json,sys;print(json.dumps([sys.version_info[:3],[sys.prefix,sys.base_prefix]]))"


@dataclass(frozen=True)
class Interpreter:
    """An interpreter and the folders outside /usr that it needs to see."""

    path: str
    version: tuple[int, int, int]
    prefixes: tuple[str, ...]

    def argv(self, run: Sequence[str]) -> list[str]:
        """A manifest's `run` with `python3` replaced."""
        return [self.path, *run[1:]] if run[0] == "python3" else list(run)


def find(environment: Mapping[str, str] = os.environ) -> Interpreter:
    """The interpreter of the settings, else the first of the system new enough; SandboxRefused."""
    chosen = environment.get(VARIABLE)
    if chosen:
        interpreter = _ask(chosen)
        if interpreter is None:
            raise SandboxRefused(f"{VARIABLE}={chosen} is no Python of 3.11 or newer")
        return interpreter
    for path in _CANDIDATES:
        interpreter = _ask(path)
        if interpreter is not None:
            return interpreter
    raise SandboxRefused(
        f"no Python of 3.11 or newer at {' or '.join(_CANDIDATES)}: install python3, or set "
        f"{VARIABLE} to one that every user of this machine can reach"
    )


def _ask(path: str) -> Interpreter | None:
    if not os.path.isabs(path) or not os.access(path, os.X_OK):
        return None
    try:
        done = subprocess.run(
            [path, "-I", "-c", _FACTS], capture_output=True, timeout=20, env={}, check=True
        )
        version, prefixes = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if tuple(version) < OLDEST:
        return None
    major, minor, micro = version
    return Interpreter(path, (major, minor, micro), _outside_usr(path, prefixes))


def _outside_usr(path: str, prefixes: Sequence[str]) -> tuple[str, ...]:
    """The folders to bind for this interpreter; raises SandboxRefused when one is too wide."""
    real = os.path.dirname(os.path.realpath(path))
    outside = {p for p in prefixes if not Path(p).is_relative_to("/usr")}
    if not Path(real).is_relative_to("/usr") and not any(
        Path(real).is_relative_to(prefix) for prefix in outside
    ):
        outside.add(os.path.dirname(real))
    for prefix in outside:
        if len(Path(prefix).parts) < 3:  # never all of /, /home or /etc
            raise SandboxRefused(f"{path} needs all of {prefix}, which bots may not see")
    return tuple(sorted(outside))
