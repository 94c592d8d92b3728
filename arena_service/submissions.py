"""Archives that strangers send: read with every limit counted while unpacking, never on disk."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, Protocol

from bots.manifest import FILE, Manifest, ManifestError, parse
from bots.packing import (
    MAX_FILES,
    MAX_PACKED_BYTES,
    MAX_UNPACKED_BYTES,
    PackedFile,
    pack_files,
)
from engine_service.catalogue import names

# Headers and padding of a tar archive with the most files, beside the files themselves.
_TAR_OVERHEAD = MAX_FILES * 4096
_CHUNK = 2**16
_MAX_PATH_BYTES = 240


class SubmissionError(ValueError):
    """An archive that is refused: `reason` for programs, `field` it concerns, text for people."""

    def __init__(self, reason: str, field: str, message: str) -> None:
        """Keep the three parts; the text is the message alone."""
        super().__init__(message)
        self.reason, self.field, self.message = reason, field, message


@dataclass(frozen=True)
class Submission:
    """An accepted archive: its manifest, and its files packed anew in the arena's own form."""

    manifest: Manifest
    archive: bytes


def inspect(archive: bytes) -> Manifest:
    """The manifest of an archive that passes every check; raises SubmissionError."""
    return admit(archive).manifest


def admit(archive: bytes) -> Submission:
    """Check an archive and pack its files anew, so that workers never read a stranger's tar."""
    if len(archive) > MAX_PACKED_BYTES:
        raise too_large()
    files = unpack(archive)
    manifest = _manifest(files)
    return Submission(manifest, pack_files(files))


def too_large() -> SubmissionError:
    """The refusal of an archive over the packed limit."""
    limit = f"{MAX_PACKED_BYTES // 2**20} MiB"
    return SubmissionError("PACKED_TOO_LARGE", "archive", f"the archive is larger than {limit}")


def unpack(archive: bytes) -> dict[str, PackedFile]:
    """The files of a .tar.gz or .zip by their path; raises SubmissionError."""
    shelf = _Shelf()
    if archive.startswith(b"\x1f\x8b"):
        _unpack_tar(archive, shelf)
    elif archive.startswith(b"PK\x03\x04"):
        _unpack_zip(archive, shelf)
    else:
        raise SubmissionError("NOT_AN_ARCHIVE", "archive", "the archive is no .tar.gz and no .zip")
    return shelf.files


class _Shelf:
    """The files read so far, with the counts that bound them."""

    def __init__(self) -> None:
        self.files: dict[str, PackedFile] = {}
        self._entries: dict[str, bool] = {}
        self._size = 0

    def enter(self, name: str, is_folder: bool) -> str:
        """Check the next entry's name before anything of it is read; its plain path."""
        path = _plain_path(name)
        if path == "." and is_folder:
            return path
        if len(self._entries) == MAX_FILES:
            raise SubmissionError(
                "TOO_MANY_FILES", "archive", f"the archive holds more than {MAX_FILES} files"
            )
        if path in self._entries:
            raise SubmissionError(
                "DUPLICATE_PATH", "archive", f"{path!r} is in the archive more than once"
            )
        self._entries[path] = is_folder
        return path

    def put(self, path: str, source: IO[bytes], executable: bool) -> None:
        """Read one file, counting what comes out, not what the header claims."""
        content = io.BytesIO()
        while chunk := source.read(_CHUNK):
            self._size += len(chunk)
            if self._size > MAX_UNPACKED_BYTES:
                raise _bomb()
            content.write(chunk)
        self.files[path] = PackedFile(content.getvalue(), executable)

    def check_folders(self) -> None:
        """No path may lead through a file."""
        for path in self._entries:
            parts = path.split("/")
            for depth in range(1, len(parts)):
                if "/".join(parts[:depth]) in self.files:
                    raise SubmissionError(
                        "DUPLICATE_PATH", "archive", f"{path!r} lies below a file"
                    )


def _bomb() -> SubmissionError:
    limit = f"{MAX_UNPACKED_BYTES // 2**20} MiB"
    return SubmissionError("UNPACKED_TOO_LARGE", "archive", f"the archive unpacks to over {limit}")


def _plain_path(name: str) -> str:
    if name.startswith("/") or name[1:2] == ":":
        raise SubmissionError("ABSOLUTE_PATH", "archive", f"{name!r} is an absolute path")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise SubmissionError("PARENT_PATH", "archive", f"{name!r} leads out of its folder")
    encodable = not any(0xD800 <= ord(letter) <= 0xDFFF for letter in name)
    if not encodable or "\\" in name or any(ord(letter) < 32 for letter in name):
        raise SubmissionError(
            "BAD_PATH", "archive", f"{name!r} holds a control character, a backslash or no UTF-8"
        )
    path = "/".join(parts) or "."
    if len(path.encode()) > _MAX_PATH_BYTES:
        raise SubmissionError(
            "BAD_PATH", "archive", f"{path[:40]!r}... is longer than {_MAX_PATH_BYTES} bytes"
        )
    return path


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class _Counted(io.RawIOBase):
    """A source that ends with a refusal once more than `limit` bytes were taken from it."""

    def __init__(self, source: _Readable, limit: int) -> None:
        self._source, self._left = source, limit

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(_CHUNK if size < 0 else size)
        self._left -= len(data)
        if self._left < 0:
            raise _bomb()
        return data


def _unpack_tar(archive: bytes, shelf: _Shelf) -> None:
    unzipped = gzip.GzipFile(fileobj=io.BytesIO(archive))
    counted = _Counted(unzipped, MAX_UNPACKED_BYTES + _TAR_OVERHEAD)
    try:
        with tarfile.open(fileobj=counted, mode="r|", encoding="utf-8") as tar:
            for entry in tar:
                _take_tar_entry(tar, entry, shelf)
    except RecursionError as error:
        raise _broken("a chain of extended headers") from error
    except SubmissionError:
        raise
    except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, OverflowError) as error:
        raise _broken(str(error) or type(error).__name__) from error
    shelf.check_folders()


def _take_tar_entry(tar: tarfile.TarFile, entry: tarfile.TarInfo, shelf: _Shelf) -> None:
    if entry.issym() or entry.islnk():
        raise _link(entry.name)
    if not (entry.isdir() or entry.type in (tarfile.REGTYPE, tarfile.AREGTYPE)):
        raise _special(entry.name)
    if entry.sparse is not None:
        raise _special(entry.name)
    path = shelf.enter(entry.name, entry.isdir())
    source = tar.extractfile(entry)
    if source is not None:
        shelf.put(path, source, bool(entry.mode & 0o100))


def _unpack_zip(archive: bytes, shelf: _Shelf) -> None:
    # The directory is read at once: look at its length before zipfile builds an object per entry.
    if archive.count(b"PK\x01\x02") > 2 * MAX_FILES:
        raise SubmissionError(
            "TOO_MANY_FILES", "archive", f"the archive holds more than {MAX_FILES} files"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
            for entry in zipped.infolist():
                _take_zip_entry(zipped, entry, shelf)
    except SubmissionError:
        raise
    except (zipfile.BadZipFile, EOFError, OSError, zlib.error, ValueError) as error:
        raise _broken(str(error) or type(error).__name__) from error
    except (NotImplementedError, RuntimeError) as error:
        raise _broken(f"encrypted or packed in an unknown way: {error}") from error
    shelf.check_folders()


def _take_zip_entry(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo, shelf: _Shelf) -> None:
    # Names are cut at a NUL by zipfile; what the archive really says must be the same.
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        raise _link(entry.filename)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _special(entry.filename)
    # zipfile inflates the other methods without a bound per read: a few hundred bytes fill memory.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _broken(f"{entry.filename}: packed by another method than store or deflate")
    path = shelf.enter(entry.orig_filename, entry.is_dir())
    if not entry.is_dir():
        with zipped.open(entry) as source:
            shelf.put(path, source, bool(mode & 0o100))


def _link(name: str) -> SubmissionError:
    return SubmissionError("LINK", "archive", f"{name!r} is a link; a bot holds plain files only")


def _special(name: str) -> SubmissionError:
    return SubmissionError("SPECIAL_FILE", "archive", f"{name!r} is neither a file nor a folder")


def _broken(cause: str) -> SubmissionError:
    return SubmissionError("NOT_AN_ARCHIVE", "archive", f"the archive cannot be read: {cause}")


def _manifest(files: dict[str, PackedFile]) -> Manifest:
    if FILE not in files:
        raise SubmissionError("MANIFEST_MISSING", FILE, f"the archive has no {FILE} at its top")
    try:
        manifest = parse(files[FILE].content)
    except ManifestError as error:
        raise SubmissionError("MANIFEST_INVALID", error.field, str(error)) from error
    for game in manifest.games:
        if game not in names():
            known = ", ".join(names())
            raise SubmissionError(
                "UNKNOWN_GAME", "games", f"{FILE}: no game is called {game!r}; known: {known}"
            )
    _check_program(manifest.run, files)
    return manifest


def _check_program(run: tuple[str, ...], files: dict[str, PackedFile]) -> None:
    """The program must be in the archive, under the name that `run` gives it."""
    interpreted = run[0] == "python3"
    if interpreted and (len(run) < 2 or run[1].startswith("-")):
        return
    program = run[1 if interpreted else 0].removeprefix("./")
    if program not in files:
        raise SubmissionError(
            "PROGRAM_MISSING", "run", f"{FILE}: run: the archive holds no {program!r}"
        )
    if not interpreted and "/" not in run[0]:
        # Without a slash it would be looked for in the system's folders.
        raise SubmissionError("PROGRAM_MISSING", "run", f"{FILE}: run: write './{program}'")
    if not interpreted and not files[program].executable:
        raise SubmissionError(
            "NOT_EXECUTABLE", "run", f"{FILE}: run: {program!r} may not be executed (chmod +x)"
        )
