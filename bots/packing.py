"""Bot folders as archives: the same files always give the same bytes."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_PACKED_BYTES = 16 * 2**20
MAX_UNPACKED_BYTES = 64 * 2**20
MAX_FILES = 1000
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules"})


class PackingError(ValueError):
    """A folder that cannot be packed; the message names the file and the reason."""


@dataclass(frozen=True)
class PackedFile:
    """What an archive keeps of a file: its bytes and whether it may be executed."""

    content: bytes
    executable: bool = False


def pack(folder: Path) -> bytes:
    """Pack a bot folder; hidden files, `__pycache__` and `node_modules` are left out."""
    if not folder.is_dir():
        raise PackingError(f"{folder} is no folder")
    files: dict[str, PackedFile] = {}
    total = 0
    for path in _files(folder):
        total += path.stat().st_size
        if len(files) == MAX_FILES:
            raise PackingError(f"{folder} holds more than {MAX_FILES} files")
        if total > MAX_UNPACKED_BYTES:
            raise PackingError(f"{folder} holds more than {MAX_UNPACKED_BYTES // 2**20} MiB")
        executable = bool(path.stat().st_mode & 0o100)
        files[path.relative_to(folder).as_posix()] = PackedFile(path.read_bytes(), executable)
    return pack_files(files)


def pack_files(files: Mapping[str, PackedFile]) -> bytes:
    """A .tar.gz of the files in the order of their names, without owners, times or folders."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name].content)
            entry.mode = 0o755 if files[name].executable else 0o644
            tar.addfile(entry, io.BytesIO(files[name].content))
    return packed.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.suffix == ".pyc":
            continue
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise PackingError(f"{path} is a link or a device; a bot holds plain files only")
        if path.is_file():
            yield path
        elif path.name not in SKIPPED_FOLDERS:
            yield from _files(path)
