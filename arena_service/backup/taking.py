"""Writing a backup: every table in one snapshot, while the arena runs."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from gzip import GzipFile
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Column, LargeBinary, Table, func, select, text
from sqlalchemy.orm import Session
from sqlmodel import SQLModel

from arena_service.backup.document import (
    FORMAT,
    KINDS,
    MAX_FILE_BYTES,
    BackupError,
    End,
    FileLine,
    Header,
    Line,
    Row,
    TableLine,
    encoded,
    kind_of,
)
from arena_service.store import tables
from arena_service.store.database import Database, newest_revision
from arena_service.store.states import now_utc

# Of the data folder: the account of whoever runs the arena there.
FILES = ("profile.json",)
# Signs of life of processes that will not be there.
LEFT_OUT = (str(tables.Process.__tablename__),)
COMPRESSION = 5
ROWS_AT_ONCE = 1000
BYTES_AT_ONCE = 16 * 2**20
TOLD_EVERY = 10_000
OnRows = Callable[[int], None]


def take(db: Database, data: Path, version: str, stream: BinaryIO, on_rows: OnRows) -> int:
    """Write the arena of `db` and of the data folder to `stream`; returns how many rows there are.

    What is kept in memory does not grow with the arena. `on_rows` is told now and then how many
    rows are written. Raises BackupError for a database of another version.
    """
    with GzipFile(fileobj=stream, mode="wb", compresslevel=COMPRESSION, mtime=0) as packed:
        written = 0
        for line in _lines(db, data, version):
            packed.write(encoded(line))
            if isinstance(line, list):
                written += 1
                if written % TOLD_EVERY == 0:
                    on_rows(written)
    return written


def _lines(db: Database, data: Path, version: str) -> Iterator[Line | Row]:
    rows: dict[str, int] = {}
    with db.snapshot() as session:
        yield Header(FORMAT, _revision(session), version, now_utc().isoformat())
        for table in SQLModel.metadata.sorted_tables:
            if table.name in LEFT_OUT:
                continue
            yield _described(table)
            name = str(table.name)
            rows[name] = 0
            for row in _rows(session, table):
                rows[name] += 1
                yield row
    for name in FILES:
        if (data / name).is_file():
            yield FileLine(name, base64.b64encode(_content(data / name)).decode())
    yield End(rows)


def _revision(session: Session) -> str:
    """That of the schema, which must be this version's: its tables are read by this code."""
    found = str(session.scalar(text("SELECT version_num FROM alembic_version")))
    if found != newest_revision():
        raise BackupError(
            f"expected a database of this version of Interrex (its schema is {newest_revision()}), "
            f"got one of {found}; bring it up to date by starting the arena once"
        )
    return found


def _described(table: Table) -> TableLine:
    return TableLine(
        str(table.name),
        [(str(column.name), kind_of(column.type)) for column in table.columns],
        [str(column.name) for column in table.columns if _is_of(column, table)],
    )


def _is_of(column: Column[object], table: Table) -> bool:
    return any(key.column.table is table for key in column.foreign_keys)


def _rows(session: Session, table: Table) -> Iterator[list[object]]:
    kinds = [KINDS[kind_of(column.type)] for column in table.columns]
    chosen = select(*table.columns).execution_options(yield_per=_at_once(session, table))
    for row in session.execute(chosen):
        yield [kind.write(value) for kind, value in zip(kinds, row, strict=True)]


def _at_once(session: Session, table: Table) -> int:
    """So many rows at a time that their bytes fit into memory."""
    sizes = [
        func.coalesce(func.max(func.length(column)), 0)
        for column in table.columns
        if isinstance(column.type, LargeBinary)
    ]
    longest = sum(session.execute(select(*sizes)).one()) if sizes else 0
    return max(1, min(ROWS_AT_ONCE, BYTES_AT_ONCE // (longest + 1)))


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if len(content) > MAX_FILE_BYTES:
        raise BackupError(f"{path}: expected at most {MAX_FILE_BYTES} bytes")
    return content
