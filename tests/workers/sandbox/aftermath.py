"""What a worker and its machine hold that a bot might add to; compared before and after a bot."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from tests.workers.sandbox.victim import Victim
from workers.sandbox.cgroup import CgroupRoot
from workers.sandbox.staging import Runtime

GROWTH_BYTES = 8 << 20  # of the worker, by one bot: its buffers hold at most 2 MiB
GROUP_BYTES = 2 << 20  # of all groups together, without the cache of files
_PAGE = os.sysconf("SC_PAGESIZE")
_COVERT = "interrex-covert"
_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/dev", "/usr/lib", "/")


@dataclass(frozen=True)
class Aftermath:
    """One look around. Everything but the memory has to be the same again after a bot."""

    processes: frozenset[int]
    mounts: frozenset[str]
    groups: frozenset[str]
    files: frozenset[tuple[str, int, int]]
    segments: frozenset[str]
    descriptors: frozenset[tuple[str, str]]
    victim: frozenset[tuple[str, str]]
    signals: frozenset[int]
    memory: int
    group_memory: int

    @classmethod
    def look(cls, runtime: Runtime, victim: Victim, signals: int) -> Aftermath:
        """`signals` is what the worker itself has received."""
        return cls(
            frozenset(_descendants(os.getpid())),
            frozenset(Path("/proc/self/mountinfo").read_text().splitlines()),
            frozenset(_groups(runtime.cgroups)),
            frozenset(_files(runtime.root)),
            frozenset(_segments(victim.keys)),
            frozenset(_descriptors()),
            frozenset((key, str(value)) for key, value in victim.state().items()),
            frozenset([signals]),
            _resident(),
            _group_memory(runtime.cgroups),
        )

    def left(self, later: Aftermath) -> list[str]:
        """What is in `later` beyond this, in words."""
        sets = [f.name for f in fields(self) if f.name not in ("memory", "group_memory")]
        found = [
            f"{name}: {sorted(map(str, getattr(later, name) - getattr(self, name)))[:5]}"
            for name in sets
            if getattr(later, name) - getattr(self, name)
        ]
        if later.memory - self.memory > GROWTH_BYTES:
            found.append(f"memory: the worker grew by {later.memory - self.memory} bytes")
        if later.group_memory - self.group_memory > GROUP_BYTES:
            found.append(f"memory: {later.group_memory} bytes are charged to the groups")
        return found


def settle(before: Aftermath, look: Callable[[], Aftermath], patience_s: float) -> list[str]:
    """What `before` lacks and `look()` finds; processes get a moment to be reaped."""
    until = time.monotonic() + patience_s
    while (left := before.left(look())) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def memory_bytes() -> int:
    """The resident memory of this process, without what only waits to be collected."""
    gc.collect()
    return _resident()


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


def _descendants(of: int) -> Iterator[int]:
    """Its living children and theirs; of this process orphans too, because it is their reaper."""
    for file in Path(f"/proc/{of}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            if lives(child):
                yield child
            yield from _descendants(child)


def lives(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _groups(cgroups: CgroupRoot | None) -> Iterator[str]:
    for folder in cgroups.folders if cgroups else ():
        yield from (str(group) for group in folder.iterdir() if group.is_dir())


def _group_memory(cgroups: CgroupRoot | None) -> int:
    """Memory that is charged to the groups' parent and is no cache of files."""
    if cgroups is None:
        return 0
    text = (cgroups.folders[0] / "memory.stat").read_text()
    found = dict(line.split() for line in text.splitlines())
    names = ("anon", "shmem") if cgroups.version == 2 else ("total_rss", "total_shmem")
    return sum(int(found[name]) for name in names)


def _files(root: Path) -> Iterator[tuple[str, int, int]]:
    for folder, _, names in os.walk(root):
        yield folder, 0, 0
        for path in (os.path.join(folder, name) for name in names):
            found = os.lstat(path)
            yield path, found.st_size, found.st_mtime_ns
    for shared in _SHARED_FOLDERS:
        path = os.path.join(shared, _COVERT)
        if os.path.exists(path):
            yield path, 0, 0


def _segments(keys: range) -> Iterator[str]:
    """The System V objects with these keys."""
    for kind in ("shm", "sem", "msg"):
        for line in Path("/proc/sysvipc", kind).read_text().splitlines()[1:]:
            key, number = line.split()[:2]
            if int(key) in keys:
                yield f"{kind} {key} {number}"


def _descriptors() -> Iterator[tuple[str, str]]:
    for number in os.listdir("/proc/self/fd"):
        try:
            yield number, os.readlink(f"/proc/self/fd/{number}")
        except OSError:  # the listing's own
            pass
