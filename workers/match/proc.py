"""What the kernel tells of a bot's process. A process that is gone tells nothing."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class ThreadState(NamedTuple):
    """One thread's account with the scheduler; times in ns since its birth.

    The kernel books a wait when it is over, so one that still lasts is not in `waited_ns`.
    """

    ran_ns: int
    waited_ns: int
    slices: int
    runnable: bool


def threads(pid: int) -> dict[str, ThreadState]:
    """The living threads by id; empty when the process is gone."""
    found = {}
    try:
        for folder in Path(f"/proc/{pid}/task").iterdir():
            if (state := _thread(folder)) is not None:
                found[folder.name] = state
    except OSError:
        pass
    return found


def peak_bytes(pid: int) -> int | None:
    """The most memory that was resident since the program was started; None when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    peak = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return next((int(kib) * 1024 for kib in peak), None)


def _thread(folder: Path) -> ThreadState | None:
    try:
        ran, waited, slices = (folder / "schedstat").read_text().split()
        state = (folder / "stat").read_text().rpartition(") ")[2][:1]
    except (OSError, ValueError):
        return None
    return ThreadState(int(ran), int(waited), int(slices), state == "R")
