"""The form of a backup: gzipped lines of JSON that name the schema they were read from.

Its first line is the header, its last the number of rows of every table. Between them each table
is a line with its columns and their kinds, then a line for every row; at the end come the files.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import JSON, Boolean, DateTime, Float, Integer, LargeBinary, String
from sqlalchemy.types import TypeEngine

from arena_service.store.states import UtcDateTime

FORMAT = "interrex-backup/1"
MAX_LINE_BYTES = 64 * 2**20
MAX_FILE_BYTES = 2**20


class BackupError(ValueError):
    """The file is no backup, is cut off, or does not fit; the message says where."""


class Header(msgspec.Struct, tag="header", forbid_unknown_fields=True):
    """What the file is: its format, the revision of the schema, and who made it when."""

    format: str
    revision: str
    version: str
    made_at: str


class TableLine(msgspec.Struct, tag="table", forbid_unknown_fields=True):
    """A table whose rows follow; `columns` are name and kind, `itself` those that name its rows."""

    name: str
    columns: list[tuple[str, str]]
    itself: list[str]


class FileLine(msgspec.Struct, tag="file", forbid_unknown_fields=True):
    """A file of the data folder."""

    name: str
    content: str


class End(msgspec.Struct, tag="end", forbid_unknown_fields=True):
    """Nothing is missing before it."""

    rows: dict[str, int]


Line = Header | TableLine | FileLine | End | list[Any]


@dataclass(frozen=True)
class Kind:
    """How the values of a column are written; None is always null."""

    type: TypeEngine[Any]
    to_plain: Callable[[Any], Any]
    from_plain: Callable[[Any], Any]

    def read(self, value: Any) -> Any:
        """A value of a line; raises ValueError or TypeError."""
        return None if value is None else self.from_plain(value)

    def write(self, value: Any) -> Any:
        """A value for a line."""
        return None if value is None else self.to_plain(value)


def _same(value: Any) -> Any:
    return value


KINDS = {
    "bytes": Kind(LargeBinary(), lambda value: base64.b64encode(value).decode(), base64.b64decode),
    "instant": Kind(
        UtcDateTime(),
        lambda value: value.astimezone(UTC).isoformat(),
        datetime.fromisoformat,
    ),
    "json": Kind(JSON(none_as_null=True), _same, _same),
    "bool": Kind(Boolean(), _same, _same),
    "int": Kind(Integer(), int, _same),
    "float": Kind(Float(), _same, _same),
    "text": Kind(String(), str, _same),
}
_OF_TYPES: tuple[tuple[type[TypeEngine[Any]], str], ...] = (
    (LargeBinary, "bytes"),
    (DateTime, "instant"),
    (JSON, "json"),
    (Boolean, "bool"),
    (Integer, "int"),
    (Float, "float"),
    (String, "text"),
)


def kind_of(type_: TypeEngine[Any]) -> str:
    """The kind of a column by its type."""
    plain = getattr(type_, "impl_instance", type_)
    return next(kind for known, kind in _OF_TYPES if isinstance(plain, known))


@dataclass
class Reader:
    """The lines of a backup one by one; `number` is that of the line read last."""

    path: Path
    number: int = field(default=0, init=False)

    def lines(self) -> Iterator[Line]:
        """Every line, the end included; raises BackupError for what is cut off or no line."""
        try:
            with self.path.open("rb") as raw, GzipFile(fileobj=raw, mode="rb") as stream:
                while text := stream.readline(MAX_LINE_BYTES):
                    self.number += 1
                    yield self._decoded(text)
        except (BadGzipFile, zlib.error) as error:
            raise BackupError(f"expected a gzipped backup ({error})") from error
        except EOFError as error:
            raise BackupError(f"it is cut off after line {self.number}") from error

    def _decoded(self, text: bytes) -> Line:
        if not text.endswith(b"\n"):
            raise self.wrong(f"expected a whole line of at most {MAX_LINE_BYTES} bytes")
        try:
            if text.startswith(b"["):
                return _ROW.decode(text)
            line: Line = _LINE.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self.wrong(f"expected a line of a backup ({error})") from error
        return line

    def wrong(self, problem: str) -> BackupError:
        """An error that names the line."""
        return BackupError(f"line {self.number}: {problem}")


_LINE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Header | TableLine | FileLine | End)
_ROW: msgspec.json.Decoder[list[Any]] = msgspec.json.Decoder(list[Any])
_ENCODER = msgspec.json.Encoder()


def encoded(line: Line | Sequence[Any]) -> bytes:
    """A line as it stands in the file."""
    return _ENCODER.encode(line) + b"\n"
