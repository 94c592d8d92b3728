"""The victim outside every sandbox, seen from the test: `lair.py` as a process of the bots' user.

It runs as the bots' own user, so that it is never the user alone that protects it.
"""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.workers.sandbox import lair
from workers.sandbox.command import BOT_ID

PYTHON = "/usr/bin/python3"
_IPC_REMOVE = 0


def bot_identity() -> dict[str, Any]:
    """The arguments of `subprocess` that make a child run as the user of a bot."""
    if os.geteuid() != 0:
        return {}
    return {"user": BOT_ID, "group": BOT_ID, "extra_groups": []}


class Victim:
    """The running victim, seen from the test."""

    def __init__(self) -> None:
        """Start it; its folder is one that every user of the machine can read."""
        self.secret = lair.MARK + secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="victim-", dir="/tmp"))
        self.folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.folder, BOT_ID, BOT_ID)
        program = shutil.copyfile(lair.__file__, self.folder / "lair.py")
        self._process = subprocess.Popen(
            [PYTHON, "-I", str(program), str(self.folder), self.secret],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"SECRET": self.secret},
            **bot_identity(),
        )
        self.pid = self._process.pid
        self.facts: dict[str, Any] = self._read()

    @property
    def keys(self) -> range:
        """The System V keys that attacks use: its own first."""
        key = int(self.facts["key"])
        return range(key, key + 8)

    def clear_segments(self) -> None:
        """Remove the shared memory that an attack has left under one of the keys."""
        libc = ctypes.CDLL(None)
        for key in self.keys[1:]:
            segment = libc.shmget(key, 0, 0)
            if segment >= 0:
                libc.shmctl(segment, _IPC_REMOVE, None)

    def state(self) -> dict[str, Any]:
        """What has been done to it so far: signals, visits, priority, processors, limits."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"state\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line: dict[str, Any] = json.loads(self._process.stdout.readline())
        return line

    def close(self) -> None:
        """End it; it removes its segment and its files itself."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
        shutil.rmtree(self.folder)
