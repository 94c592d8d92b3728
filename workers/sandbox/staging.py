"""What a worker lays out once, where the bots' user can read it: bwrap, /botenv and artifacts."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from workers.sandbox import archive, botenv, bwrap, interpreter, leftovers, seccomp
from workers.sandbox.cgroup import CgroupRoot
from workers.sandbox.interpreter import Interpreter
from workers.sandbox.shelf import Shelf, make_readable

_ROOT_HOME = Path("/var/lib/interrex-sandbox")
_PREFIX = "interrex-sandbox-"
_LOCK = "lock"


@dataclass(frozen=True)
class Runtime:
    """Everything that starting a bot needs; made before the slots fork and shared by them."""

    root: Path
    bwrap: Path
    botenv: Path
    python: Interpreter
    program: bytes = field(repr=False)
    cgroups: CgroupRoot | None
    owner_pid: int
    lock: int
    shelf: Shelf

    @classmethod
    def prepare(cls, run_dir: Path) -> Runtime:
        """Stage the tools; raises SandboxRefused with what to install. Needs no special rights."""
        program = seccomp.program()
        python = interpreter.find()
        root, lock = _make_root(run_dir)
        try:
            binary = bwrap.stage(root / "tools")
            botenv.stage(root / "botenv", python)
            (root / "bots").mkdir()
            for part in root.iterdir():
                if part.name != _LOCK:
                    make_readable(part)
        except BaseException:
            _remove(root, lock)
            raise
        cgroups = CgroupRoot.find()
        return cls(
            root=root,
            bwrap=binary,
            botenv=root / "botenv",
            python=python,
            program=program,
            cgroups=cgroups,
            owner_pid=os.getpid(),
            lock=lock,
            shelf=Shelf(root / "bots"),
        )

    @property
    def mode(self) -> str:
        """How memory is bounded: by which cgroup version, or by the address space alone."""
        return "no cgroup" if self.cgroups is None else f"cgroup v{self.cgroups.version}"

    def stage_bot(self, sha256: str, fetch: Callable[[], bytes]) -> Path:
        """The folder of an artifact, whose archive is fetched when it is not on the shelf.

        It stays at least until this slot has staged as many others as it holds.
        Raises ArchiveError, for a wrong digest too.
        """

        def verified() -> bytes:
            archive_bytes = fetch()
            if hashlib.sha256(archive_bytes).hexdigest() != sha256:
                raise archive.ArchiveError(f"the artifact is not the one with sha256 {sha256}")
            return archive_bytes

        return self.shelf.take(sha256, verified)

    def stage_folder(self, path: Path) -> Path:
        """A copy of a bot's folder as it is now, for runs of one's own bots."""
        fresh = self.shelf.fresh()
        ignored = shutil.ignore_patterns("__pycache__", ".git")
        shutil.copytree(path, fresh, symlinks=True, dirs_exist_ok=True, ignore=ignored)
        make_readable(fresh)
        return fresh

    def close(self) -> None:
        """Remove the folder, and those of the killed; in a fork of the owner this does nothing."""
        if os.getpid() == self.owner_pid and self.root.exists():
            self.shelf.close()
            _remove(self.root, self.lock)
            _sweep(self.root.parent)


def _make_root(run_dir: Path) -> tuple[Path, int]:
    """A new folder, locked while its owner or a fork of it lives, and the lock's descriptor."""
    if os.geteuid() == 0:
        parent, mode = _root_parent(), 0o711
    else:
        parent, mode = run_dir.absolute() / "sandbox", 0o700
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _sweep(parent)
    root = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    lock = os.open(root / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    root.chmod(mode)
    return root, lock


def _root_parent() -> Path:
    """A folder of root's that its user can pass through and nobody else can write to."""
    try:
        _ROOT_HOME.mkdir(mode=0o711, exist_ok=True)
        _ROOT_HOME.chmod(0o711)
    except OSError:
        return Path("/tmp")
    return _ROOT_HOME


def _sweep(parent: Path) -> None:
    """Remove the folders of workers that were killed: nobody holds their lock."""
    for folder in parent.glob(_PREFIX + "*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftovers.clear(folder)
        except OSError:
            pass
        finally:
            os.close(lock)


def _remove(root: Path, lock: int) -> None:
    leftovers.clear(root)
    os.close(lock)
