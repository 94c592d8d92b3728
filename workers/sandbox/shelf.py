"""The unpacked artifacts of a worker: bounded in number and size, none taken away in use."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workers.sandbox import archive

MOST = 200
MOST_BYTES = 1 << 30
# A series has at most four players, so what a slot took last is what it may be playing.
HELD = 8
_FRESH = "staged-"


@dataclass
class Shelf:
    """A folder per artifact, shared by the slots of a worker; the least recently taken go first.

    A slot keeps a shared lock on what it took last; what anybody holds stays. Locks are taken after
    the fork, each by its own slot.
    """

    folder: Path
    most: int = MOST
    most_bytes: int = MOST_BYTES
    _held: OrderedDict[str, int] = field(default_factory=OrderedDict, repr=False)
    _sizes: dict[str, int] = field(default_factory=dict, repr=False)

    def take(self, sha256: str, fetch: Callable[[], bytes]) -> Path:
        """The artifact's folder, fetched and unpacked if it is not there; raises ArchiveError."""
        target = self.folder / sha256
        while not self._hold(target):
            self._unpack(fetch(), target)
            self._make_room(sha256)
        os.utime(target)
        return target

    def fresh(self) -> Path:
        """A new empty folder that the shelf does not count."""
        return Path(tempfile.mkdtemp(prefix=_FRESH, dir=self.folder))

    def close(self) -> None:
        """Let go of everything."""
        while self._held:
            os.close(self._held.popitem()[1])

    def _hold(self, target: Path) -> bool:
        """Lock the folder for this slot; false when it is not there."""
        if target.name in self._held:
            self._held.move_to_end(target.name)
            return True
        lock = _locked(target, fcntl.LOCK_SH)
        if lock is None:
            return False
        self._held[target.name] = lock
        while len(self._held) > HELD:
            os.close(self._held.popitem(last=False)[1])
        return True

    def _unpack(self, archive_bytes: bytes, target: Path) -> None:
        fresh = self.fresh()
        try:
            archive.unpack(archive_bytes, fresh)
            make_readable(fresh)
            try:
                fresh.rename(target)
            except OSError:  # another slot was faster
                if not target.is_dir():
                    raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _make_room(self, newest: str) -> None:
        """Remove what was taken longest ago and is held by nobody, until the rest is in bounds."""
        known = list(self._by_age())
        self._sizes = {path.name: self._size(path) for path in known}
        count, size = len(known), sum(self._sizes.values())
        for path in known:
            if count <= self.most and size <= self.most_bytes:
                return
            if path.name != newest and _remove(path):
                count, size = count - 1, size - self._sizes.pop(path.name)

    def _by_age(self) -> Iterator[Path]:
        """The artifacts, least recently taken first."""
        found = []
        for entry in os.scandir(self.folder):
            try:
                if not entry.name.startswith(_FRESH):
                    found.append((entry.stat().st_mtime_ns, Path(entry.path)))
            except FileNotFoundError:  # another slot removed it
                pass
        yield from (path for _, path in sorted(found))

    def _size(self, path: Path) -> int:
        """The bytes of an artifact, which are counted once."""
        if path.name in self._sizes:
            return self._sizes[path.name]
        files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
        return sum(_length(file) for file in files)


def make_readable(folder: Path) -> None:
    """From `folder` downwards everybody may read and only the worker's own user may write."""
    for path in [*folder.rglob("*"), folder]:
        if path.is_symlink():
            continue
        runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
        path.chmod(0o755 if runs else 0o644)


def _locked(folder: Path, how: int) -> int | None:
    """A descriptor that locks the folder which has this name now, else None."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, how)
        if os.path.samestat(os.fstat(lock), os.stat(folder)):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(lock)
    return None


def _remove(folder: Path) -> bool:
    """Remove the folder unless somebody holds it."""
    lock = _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if lock is None:
        return False
    try:
        gone = Path(tempfile.mkdtemp(prefix=_FRESH, dir=folder.parent))
        folder.rename(gone)
    finally:
        os.close(lock)
    shutil.rmtree(gone, ignore_errors=True)
    return True


def _length(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
