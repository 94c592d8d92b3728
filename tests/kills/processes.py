"""Processes below another, by what they are in an arena."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# What stands in the command line of each kind; a slot is a fork of the match worker.
_MARKS = {
    "matches": b"\0-Q\0matches\0",
    "control": b"\0-Q\0control\0",
    "engine": b"engine_service.server",
    "api": b"arena_service.api.server",
    "beat": b"\0beat\0",
    "broker": b"valkey",
    "dashboard": b"dashboard",
}
KINDS = ("slot", *_MARKS, "up")


@dataclass(frozen=True)
class Process:
    """A process as it was seen: `started` (ticks since boot) tells it from a later namesake."""

    pid: int
    parent: int
    started: int

    def lives(self) -> bool:
        """Whether it still runs; a zombie does not."""
        return _read(self.pid) == self


def descendants(root: int) -> list[Process]:
    """Everything below `root`."""
    children: dict[int, list[Process]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        found = _read(int(folder.name))
        if found is not None:
            children.setdefault(found.parent, []).append(found)
    below, todo = [], [root]
    while todo:
        found_here = children.get(todo.pop(), [])
        below += found_here
        todo += [each.pid for each in found_here]
    return below


def of_kind(kind: str, up: int) -> list[int]:
    """The processes of a kind that belong to the arena of `up`."""
    mark = _MARKS["matches" if kind == "slot" else kind]
    found = [each for each in descendants(up) if mark in _command(each.pid)]
    return [each.pid for each in found if (each.parent != up) == (kind == "slot")]


def staged(worker: int) -> set[Path]:
    """Where a match worker keeps its sandbox: it holds the lock of this folder open."""
    try:
        held = [Path(each).readlink() for each in Path(f"/proc/{worker}/fd").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return {each.parent for each in held if each.parent.name.startswith("interrex-sandbox-")}


def naming(folder: Path) -> list[bytes]:
    """The commands of all living processes that name the folder, or something in it."""
    pids = (int(each.name) for each in Path("/proc").glob("[0-9]*"))
    text = bytes(folder)
    return [command for pid in pids if _read(pid) and text in (command := _command(pid))]


def _read(pid: int) -> Process | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else Process(pid, int(fields[1]), int(fields[19]))


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
