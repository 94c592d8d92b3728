"""A small disk that only this process and those below it see, and that can be filled."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNS, _CLONE_NEWUSER = 0x20000, 0x10000000
_MS_REC, _MS_PRIVATE = 0x4000, 0x40000
BALLAST = "ballast"
BLOCK = bytes(4096)


def mount(folder: Path, megabytes: int) -> None:
    """Mount an empty disk at `folder`; it goes with the last process that sees it.

    The process must have a single thread. An ordinary user gets name spaces of its own for it.
    """
    user, group = os.getuid(), os.getgid()
    _call(_LIBC.unshare, _CLONE_NEWNS | (0 if user == 0 else _CLONE_NEWUSER))
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    _call(_LIBC.mount, b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    options = f"size={megabytes}m,mode=0700".encode()
    _call(_LIBC.mount, b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Not a byte is free on the disk until the block ends."""
    ballast = folder / BALLAST
    try:
        with ballast.open("wb", buffering=0) as file:
            free = os.statvfs(folder)
            os.posix_fallocate(file.fileno(), 0, max(1, free.f_bavail * free.f_frsize - 2**16))
            file.seek(0, os.SEEK_END)
            _fill(file.fileno())
        yield
    finally:
        ballast.unlink()


def play_at_full_disk(what: str, database: str, times: int) -> str:
    """What the process of `full_disk` says, which must end well."""
    # Not below a folder of one user alone: PostgreSQL runs as another.
    with tempfile.TemporaryDirectory(prefix="ixdisk-", dir="/tmp") as folder:
        disk = Path(folder) / "disk"
        disk.mkdir()
        Path(folder).chmod(0o711)
        command = ["-m", "tests.faults.full_disk", what, database, str(disk), str(times)]
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)
    return done.stdout


def _fill(descriptor: int) -> None:
    while True:
        try:
            os.write(descriptor, BLOCK)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            return


def _call(function: object, *arguments: object) -> None:
    if function(*arguments) != 0:  # type: ignore[operator]
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
