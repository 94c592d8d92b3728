"""Making an arena from a backup: all of it in one transaction, or nothing."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, StatementError

from arena_service.backup.document import (
    FORMAT,
    KINDS,
    MAX_FILE_BYTES,
    BackupError,
    End,
    FileLine,
    Header,
    Line,
    Reader,
    Row,
    TableLine,
    row_decoder,
)
from arena_service.backup.taking import FILES
from arena_service.store.bulk import insert_rows
from arena_service.store.database import (
    UNAVAILABLE,
    BrokenReferencesError,
    Database,
    one_line,
    upgrade,
)
from arena_service.store.tables import WorkerToken

ROWS_AT_ONCE = 5000
BYTES_AT_ONCE = 4 * 2**20  # of lines
_NAME = re.compile(r"[a-z_]{1,60}")
OnRows = Callable[[int], None]


class NotEmptyError(ValueError):
    """What would be written over; the message names it."""


@dataclass(frozen=True)
class Restored:
    """How many rows there are by table, and the files of the data folder by name."""

    rows: Mapping[str, int]
    files: Mapping[str, bytes]


def restore(db: Database, reader: Reader, on_rows: OnRows) -> Restored:
    """Fill the empty database with a backup, and bring it up to date.

    Leases of workers on other machines, given before the backup was made, hold no more. Raises
    NotEmptyError, and BackupError that says what is wrong with the file; nothing is left of either.
    """
    try:
        with db.migration() as connection:
            _check_empty(connection)
            restored = _Filling(connection, reader, on_rows).fill()
            upgrade(connection)
            _forget_leases(connection)
        return restored
    except CommandError as error:
        raise BackupError(
            f"it was made by another version of Interrex ({one_line(error)})"
        ) from error
    except UNAVAILABLE:
        raise
    except BrokenReferencesError as error:
        raise BackupError(f"expected rows that fit together ({error})") from error
    except (DBAPIError, StatementError) as error:
        raise reader.wrong(f"expected rows that fit together ({one_line(error)})") from error


def _check_empty(connection: Connection) -> None:
    found = sa.inspect(connection).get_table_names()
    if found:
        raise NotEmptyError(f"the database holds the table {sorted(found)[0]} and perhaps more")


def _forget_leases(connection: Connection) -> None:
    """Fence numbers are given out again from where they were: nobody may hold one of before."""
    table: sa.Table = WorkerToken.__table__  # type: ignore[attr-defined]
    for token in connection.scalars(sa.select(table.c.id)).all():
        fresh = sa.update(table).where(table.c.id == token)
        connection.execute(fresh.values(lease_key=secrets.token_hex(32)))


@dataclass
class _Filling:
    """The walk through the lines, and what it has found so far."""

    connection: Connection
    reader: Reader
    on_rows: OnRows
    rows: dict[str, int] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def fill(self) -> Restored:
        """Write every row; raises BackupError."""
        lines = self.reader.lines()
        self._begin(next(lines, None))
        rows: _Rows | None = None
        for line in lines:
            match line:
                case bytes() if rows is not None:
                    rows.take(line)
                    continue
            if rows is not None:
                self.rows[rows.name] = rows.finish()
                self.on_rows(sum(self.rows.values()))
                rows = None
            match line:
                case TableLine():
                    rows = self._table(line)
                case FileLine():
                    self._keep(line)
                case End():
                    self._check_whole(line, lines)
                    return Restored(self.rows, self.files)
                case _:
                    raise self.reader.wrong("expected a table, a file or the end")
        raise BackupError(f"it is cut off after line {self.reader.number}")

    def _begin(self, line: Line | bytes | None) -> None:
        """Make the tables as they were where the backup was made."""
        if not isinstance(line, Header) or line.format != FORMAT:
            raise BackupError(f"expected a first line with the format {FORMAT}")
        upgrade(self.connection, line.revision)

    def _table(self, line: TableLine) -> _Rows:
        if line.name in self.rows or not _NAME.fullmatch(line.name):
            raise self.reader.wrong(f"expected a table once, got {line.name[:80]!r}")
        there = sa.inspect(self.connection)
        if not there.has_table(line.name):
            raise self.reader.wrong(f"expected a table of its schema, got {line.name}")
        known = {each["name"] for each in there.get_columns(line.name)}
        for name, kind in line.columns:
            if name not in known or kind not in KINDS:
                raise self.reader.wrong(f"expected columns of {line.name}, got {name[:80]!r}")
        return _Rows(self.connection, self.reader, line)

    def _keep(self, line: FileLine) -> None:
        if line.name not in FILES:
            raise self.reader.wrong(f"expected one of the files {', '.join(FILES)}")
        content = base64.b64decode(line.content)
        if len(content) > MAX_FILE_BYTES:
            raise self.reader.wrong(f"{line.name}: expected at most {MAX_FILE_BYTES} bytes")
        self.files[line.name] = content

    def _check_whole(self, line: End, rest: Iterator[Line | bytes]) -> None:
        if line.rows != self.rows:
            raise self.reader.wrong("expected as many rows of each table as the end says")
        if next(rest, None) is not None:
            raise self.reader.wrong("expected nothing after the end")


class _Rows:
    """The rows of one table on their way into the database."""

    def __init__(self, connection: Connection, reader: Reader, line: TableLine) -> None:
        """No row has come yet."""
        self.name = line.name
        self._connection, self._reader = connection, reader
        self._read = row_decoder(line)
        columns = [sa.column(name, KINDS[kind].type) for name, kind in line.columns]
        self._table = sa.table(line.name, *columns)
        self._keys = sa.inspect(connection).get_pk_constraint(line.name)["constrained_columns"]
        self._names = [name for name, _ in line.columns]
        self._itself = [self._names.index(name) for name in line.itself if name in self._names]
        self._waiting: list[Row] = []
        self._later: list[dict[str, Any]] = []
        self._size = 0
        self._count = 0

    def take(self, text: bytes) -> None:
        """One more row; raises BackupError for one that is none of this table."""
        try:
            row = self._read.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._reader.wrong(f"expected a row of {self.name} ({error})") from error
        self._waiting.append(self._postponed(row) if self._itself else row)
        self._size += len(text)
        if len(self._waiting) >= ROWS_AT_ONCE or self._size >= BYTES_AT_ONCE:
            self._flush()

    def finish(self) -> int:
        """Write what waits; returns how many rows there were."""
        self._flush()
        for values in self._later:
            mine = [self._table.c[key] == values[key] for key in self._keys]
            told = {self._names[place]: values[self._names[place]] for place in self._itself}
            self._connection.execute(sa.update(self._table).where(*mine).values(told))
        return self._count

    def _postponed(self, row: Row) -> Row:
        """A row that names another of its table waits with the name: that one may come later."""
        if all(row[place] is None for place in self._itself):
            return row
        self._later.append(dict(zip(self._names, row, strict=True)))
        return [None if place in self._itself else value for place, value in enumerate(row)]

    def _flush(self) -> None:
        if self._waiting:
            insert_rows(self._connection, self._table, self._waiting)
            self._count += len(self._waiting)
            self._waiting, self._size = [], 0
