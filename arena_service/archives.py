"""Unpack archives that strangers send: every limit counted while unpacking, never on disk.

What the libraries take for themselves is not counted; a process with limits around it bounds that.
"""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from typing import IO, Protocol

from arena_service.submissions import SubmissionError
from bots.packing import MAX_FILES, MAX_UNPACKED_BYTES, PackedFile

MAX_HEADER_BYTES = 2**16
# Headers and padding of a tar archive with the most files, beside the files themselves.
_TAR_OVERHEAD = MAX_FILES * 4096
_CHUNK = 2**16
_MAX_PATH_BYTES = 240
_EXTENDED = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


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


class _Header(tarfile.TarInfo):
    """A header of a tar archive, refused before the reader takes in what it announces."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        header = super().frombuf(buf, encoding, errors)
        if header.type in _EXTENDED and header.size > MAX_HEADER_BYTES:
            raise SubmissionError(
                "HEADER_TOO_LARGE",
                "archive",
                f"an extended header of {header.size} bytes; {MAX_HEADER_BYTES} are the limit",
            )
        if header.type == tarfile.GNUTYPE_SPARSE:
            raise _special(header.name)
        return header


def _unpack_tar(archive: bytes, shelf: _Shelf) -> None:
    unzipped = gzip.GzipFile(fileobj=io.BytesIO(archive))
    counted = _Counted(unzipped, MAX_UNPACKED_BYTES + _TAR_OVERHEAD)
    try:
        with tarfile.open(fileobj=counted, mode="r|", encoding="utf-8", tarinfo=_Header) as tar:
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
