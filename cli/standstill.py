"""Who holds the one write lock of a SQLite file, and stands still with it.

A process that is frozen in the middle of writing keeps all others from writing for as long as it
likes; on PostgreSQL the server ends its transaction, SQLite has nobody who could.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

STANDSTILL_SECONDS = 20.0
# Byte and layout of the lock: "WAL-Index Locks" of sqlite.org/walformat.html, and struct flock.
_WRITE_LOCK = 120
_FLOCK = "hhqqi"


@dataclass(frozen=True)
class _Holder:
    """A process with the lock: `started` and `used` (processor) in ticks."""

    pid: int
    started: int
    used: int


class Writers:
    """Kills a process of this arena that held the lock too long without using the processor."""

    def __init__(
        self,
        database: str,
        is_own: Callable[[int], bool],
        say: Callable[[str], None],
        patience: float = STANDSTILL_SECONDS,
    ) -> None:
        """`database` is the file, empty where there is none; `is_own` knows the arena's processes.

        Nobody else's process is killed: it is told of, once.
        """
        self._index = Path(f"{database}-shm") if database else None
        self._is_own, self._say, self._patience = is_own, say, patience
        self._seen: _Holder | None = None
        self._since = self._looked = time.monotonic()
        self._told = 0

    def look(self) -> None:
        """Look once; called again and again."""
        holder, now = self._holder(), time.monotonic()
        slept = now - self._looked > self._patience / 2  # with the whole machine, as all others did
        self._looked = now
        if holder is None or holder != self._seen or slept:
            self._seen, self._since = holder, now
        elif now - self._since > self._patience:
            self._end(holder)

    def _end(self, holder: _Holder) -> None:
        what = f"process {holder.pid} stands still in the middle of writing to the database"
        if self._is_own(holder.pid):
            self._say(f"{what}; it is killed")
            os.kill(holder.pid, signal.SIGKILL)
            self._seen = None
        elif holder.pid != self._told:
            self._say(f"{what}; nobody else can write: continue it, or kill it")
            self._told = holder.pid

    def _holder(self) -> _Holder | None:
        if self._index is None or (pid := locked_by(self._index)) == 0:
            return None
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        return _Holder(pid, int(fields[19]), int(fields[11]) + int(fields[12]))


def locked_by(index: Path) -> int:
    """The process with the write lock; 0: nobody has it."""
    try:
        descriptor = os.open(index, os.O_RDONLY)
    except FileNotFoundError:
        return 0
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _WRITE_LOCK, 1, 0)
        kind, *_, pid = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
    finally:
        os.close(descriptor)
    return 0 if kind == fcntl.F_UNLCK else pid
