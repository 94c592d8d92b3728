"""A throw-away cgroup per bot, which bounds the memory and the number of its tasks.

Version 1 as root; version 2 where a sub-tree with the memory and pids controllers is delegated.
"""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

_FOLDER = "interrex"
_CONTROLLERS = ("memory", "pids")
_numbers = itertools.count()


def _mounts() -> tuple[dict[str, Path], Path | None]:
    """The mount points of version 1 by controller, and that of version 2."""
    first: dict[str, Path] = {}
    second: Path | None = None
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, right = line.split(" - ", 1)
        kind, _, options = right.split(" ", 2)
        where = Path(left.split()[4])
        if kind == "cgroup2":
            second = where
        elif kind == "cgroup":
            for option in options.split(","):
                first.setdefault(option, where)
    return first, second


def _own_group(mount: Path) -> Path:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return mount / line[3:].lstrip("/")
    return mount


@dataclass(frozen=True)
class CgroupRoot:
    """The folders below which bots get their groups: one per controller (v1) or one (v2)."""

    version: int
    folders: tuple[Path, ...]

    @classmethod
    def find(cls) -> CgroupRoot | None:
        """What this process may use, tried out by making and removing a group; else None."""
        first, second = _mounts()
        candidates = []
        if second is not None:
            own = _own_group(second)
            parents = [own, own.parent] if own != second else [own]
            candidates += [cls(2, (parent / _FOLDER,)) for parent in parents]
        if all(name in first for name in _CONTROLLERS):
            candidates.append(cls(1, tuple(first[name] / _FOLDER for name in _CONTROLLERS)))
        return next((root for root in candidates if root._usable()), None)

    def _usable(self) -> bool:
        try:
            for folder in self.folders:
                if self.version == 2:
                    _delegate(folder.parent)
                folder.mkdir(exist_ok=True)
                if self.version == 2:
                    _delegate(folder)
            self.sweep()
            Cgroup.create(self, 64 << 20, 8).remove()
        except OSError:
            return False
        return True

    def sweep(self) -> None:
        """Remove the empty groups that killed workers left; a group in use cannot be removed."""
        for folder in self.folders:
            for group in folder.iterdir():
                if group.is_dir() and not _alive(group.name):
                    try:
                        group.rmdir()
                    except OSError:
                        pass


def _delegate(folder: Path) -> None:
    _write(folder / "cgroup.subtree_control", "+memory +pids")


def _alive(name: str) -> bool:
    pid = name.split("-")[1] if name.startswith("bot-") else ""
    return not pid.isdigit() or Path("/proc", pid).exists()


@dataclass(frozen=True)
class Cgroup:
    """The group of one bot."""

    version: int
    folders: tuple[Path, ...]

    @classmethod
    def create(cls, root: CgroupRoot, memory_bytes: int, tasks: int) -> Cgroup:
        """Make the group with its limits set; raises OSError and leaves nothing behind."""
        name = f"bot-{os.getpid()}-{time.monotonic_ns()}-{next(_numbers)}"
        group = cls(root.version, tuple(folder / name for folder in root.folders))
        try:
            for folder in group.folders:
                folder.mkdir()
            group._limit(memory_bytes, tasks)
        except OSError:
            group.remove()
            raise
        return group

    def _limit(self, memory_bytes: int, tasks: int) -> None:
        memory, pids = self.folders[0], self.folders[-1]
        if self.version == 2:
            _set(memory / "memory.max", memory_bytes)
            _set_if_there(memory / "memory.swap.max", 0)
            _set(memory / "memory.oom.group", 1)
        else:
            _set(memory / "memory.limit_in_bytes", memory_bytes)
            _set_if_there(memory / "memory.memsw.limit_in_bytes", memory_bytes)
        _set(pids / "pids.max", tasks)

    def add(self, pid: int) -> None:
        """Move a process in; its children are born inside."""
        for folder in self.folders:
            _set(folder / "cgroup.procs", pid)

    def pids(self) -> set[int]:
        """The processes that are inside every one of its folders."""
        found = [set(map(int, _read(f / "cgroup.procs").split())) for f in self.folders]
        return set.intersection(*found)

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed something inside for its memory."""
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        lines = [line.split() for line in _read(self.folders[0] / name).splitlines()]
        return any(key == "oom_kill" and count != "0" for key, count in lines)

    def remove(self, patience_s: float = 2.0) -> None:
        """Remove the emptied group; raises OSError when something still lives inside."""
        until = time.monotonic() + patience_s
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.002)


def _read(file: Path) -> str:
    return file.read_text()


def _set(file: Path, value: int) -> None:
    _write(file, str(value))


def _write(file: Path, text: str) -> None:
    """Write to a file that the kernel offers, never make one: elsewhere it would limit nothing."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _set_if_there(file: Path, value: int) -> None:
    if file.exists():
        _set(file, value)
