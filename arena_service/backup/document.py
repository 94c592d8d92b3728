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
from types import GenericAlias
from typing import Annotated, Any

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


Line = Header | TableLine | FileLine | End
Row = Sequence[Any]


@dataclass(frozen=True)
class Kind:
    """How the values of a column are stored and written; null is always None.

    `read` is the type that a value of a line is read as.
    """

    type: TypeEngine[Any]
    read: Any
    to_plain: Callable[[Any], Any]

    def write(self, value: Any) -> Any:
        """A value for a line."""
        return None if value is None else self.to_plain(value)


def _same(value: Any) -> Any:
    return value


_WORD = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_INSTANT = Annotated[datetime, msgspec.Meta(tz=True)]

KINDS = {
    "bytes": Kind(LargeBinary(), bytes, lambda value: base64.b64encode(value).decode()),
    "instant": Kind(UtcDateTime(), _INSTANT, lambda value: value.astimezone(UTC).isoformat()),
    "json": Kind(JSON(none_as_null=True), Any, _same),
    "bool": Kind(Boolean(), bool, _same),
    "int": Kind(Integer(), _WORD, int),
    "float": Kind(Float(), float, _same),
    "text": Kind(String(), str, str),
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

    def lines(self) -> Iterator[Line | bytes]:
        """Every line, the end included, rows as they stand there.

        Raises BackupError for what is cut off or no line.
        """
        try:
            with self.path.open("rb") as raw, GzipFile(fileobj=raw, mode="rb") as stream:
                while text := stream.readline(MAX_LINE_BYTES):
                    self.number += 1
                    yield self._decoded(text)
        except (BadGzipFile, zlib.error) as error:
            raise BackupError(f"expected a gzipped backup ({error})") from error
        except EOFError as error:
            raise BackupError(f"it is cut off after line {self.number}") from error

    def _decoded(self, text: bytes) -> Line | bytes:
        if not text.endswith(b"\n"):
            raise self.wrong(f"expected a whole line of at most {MAX_LINE_BYTES} bytes")
        if text.startswith(b"["):
            return text
        try:
            line: Line = _LINE.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self.wrong(f"expected a line of a backup ({error})") from error
        return line

    def wrong(self, problem: str) -> BackupError:
        """An error that names the line."""
        return BackupError(f"line {self.number}: {problem}")


_LINE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Header | TableLine | FileLine | End)
_ENCODER = msgspec.json.Encoder()


def encoded(line: Line | Row) -> bytes:
    """A line as it stands in the file."""
    return _ENCODER.encode(line) + b"\n"


def row_decoder(line: TableLine) -> msgspec.json.Decoder[tuple[Any, ...]]:
    """What reads the rows of a table: a value of its kind, or null, for each column."""
    values = tuple(KINDS[kind].read | None for _, kind in line.columns)
    return msgspec.json.Decoder(GenericAlias(tuple, values))
