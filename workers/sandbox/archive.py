"""Unpack a bot's artifact: plain files and folders only, below one folder, within fixed sizes.

The artifact was checked and packed anew when it was submitted; this holds even if it was not.
"""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

UNPACKED_BYTES = 64 << 20
FILES = 1000
# What the reader raises over damaged or odd input.
_UNREADABLE = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError)


class ArchiveError(ValueError):
    """The artifact holds something that may not be unpacked."""


def unpack(archive: bytes, target: Path) -> None:
    """Write the files of a tar.gz into the existing folder `target`; raises ArchiveError."""
    left, files = UNPACKED_BYTES, 0
    try:
        for name, executable, source in _members(archive):
            files += 1
            if files > FILES:
                raise ArchiveError(f"more than {FILES} files")
            path = target / _safe(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            left -= _copy(source, path, left)
            path.chmod(0o755 if executable else 0o644)
    except ArchiveError:
        raise
    except _UNREADABLE as error:
        raise ArchiveError(f"the artifact cannot be unpacked: {error}") from error


def _members(archive: bytes) -> Iterator[tuple[str, bool, IO[bytes]]]:
    """The regular files; a link or a device raises."""
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as opened:
        for member in opened:
            if member.isdir():
                continue
            source = opened.extractfile(member) if member.isreg() else None
            if source is None:
                raise ArchiveError(f"{member.name!r} is neither a file nor a folder")
            yield member.name, bool(member.mode & 0o100), source


def _safe(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name or "\\" in name:
        raise ArchiveError(f"{name!r} is no path inside the artifact")
    return path


def _copy(source: IO[bytes], path: Path, left: int) -> int:
    """Write one file; raises ArchiveError beyond `left` bytes, whatever the header claimed."""
    written = 0
    with path.open("wb") as out:
        while chunk := source.read(1 << 16):
            written += len(chunk)
            if written > left:
                raise ArchiveError(f"more than {UNPACKED_BYTES} bytes unpacked")
            out.write(chunk)
    return written
