"""The connection to SQLite or PostgreSQL; only here and in `bulk.py` is known which it is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, CursorResult, Engine, Executable, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from arena_service.settings import SettingsError

BUSY_SECONDS = 30
# The server ends the transaction of a process that stands still, before others give up waiting.
IDLE_SECONDS = 20
# The database is away, locked or overloaded: the same may work a moment later.
UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeout)
_MIGRATION_LOCK = 0x1A7E44E3
_WRITE = "interrex_write"
_ADDRESSES = "sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME"


class BrokenReferencesError(RuntimeError):
    """A migration left rows that name others which are not there."""


class Database:
    """Open it after a fork, never before: connections do not survive one."""

    def __init__(self, engine: Engine) -> None:
        """Use `open_database`."""
        self.engine = engine
        self._writing = engine.execution_options(**{_WRITE: True})

    @property
    def file(self) -> str:
        """Where a SQLite database lies; empty for one on a server."""
        return (self.engine.url.database or "") if self.engine.dialect.name == "sqlite" else ""

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction that may write; committed at the end, rolled back by an exception."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One transaction for a few statements that read."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """One long transaction that only reads, all its statements the same state."""
        engine = self.engine
        if engine.dialect.name == "postgresql":
            options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            engine = engine.execution_options(**options)
        with Session(engine, expire_on_commit=False) as session, session.begin():
            if engine.dialect.name == "postgresql":  # what is read is looked at in between
                session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            yield session

    def migrate(self, revision: str = "head") -> None:
        """Bring the schema up to date; two processes that try at once wait for each other."""
        with self.migration() as connection:
            upgrade(connection, revision)

    @contextmanager
    def migration(self) -> Iterator[Connection]:
        """One transaction that may change the schema, alone; all of it or nothing."""
        if self.engine.dialect.name == "sqlite":
            with self._migration_sqlite() as connection:
                yield connection
            return
        with self._writing.begin() as connection:
            lock = text("SELECT pg_advisory_xact_lock(:key)")
            connection.execute(lock, {"key": _MIGRATION_LOCK})
            yield connection

    @contextmanager
    def _migration_sqlite(self) -> Iterator[Connection]:
        """SQLite changes a table by copying it: references are checked when it is done."""
        engine = create_engine(self.engine.url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", partial(_prepare_sqlite, foreign_keys=False))
        event.listen(engine, "begin", _begin_sqlite)
        try:
            with engine.execution_options(**{_WRITE: True}).begin() as connection:
                yield connection
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
                if broken:
                    raise BrokenReferencesError(f"references without a row: {broken[:3]}")
        finally:
            engine.dispose()

    def close(self) -> None:
        """Close every connection of this process."""
        self.engine.dispose()


def file_of(url: str) -> str:
    """Where a SQLite database of this address lies or would lie; empty for one on a server.

    Raises SettingsError.
    """
    parsed = _parsed(url)
    return (parsed.database or "") if parsed.drivername == "sqlite" else ""


def open_database(url: str) -> Database:
    """A database by its address, not yet connected to; raises SettingsError.

    A SQLite file that is not there is made.
    """
    parsed = _parsed(url)
    match parsed.drivername:
        case "sqlite":
            return Database(_open_sqlite(parsed))
        case "postgresql+psycopg":
            return Database(_open_postgresql(parsed))
        case other:
            raise _unusable(f"expected {_ADDRESSES}, got one of {other!r}")


def open_migrated(url: str) -> Database:
    """The same with its schema up to date.

    Raises SettingsError, also when it does not answer or is something else than it should be.
    """
    database = open_database(url)
    try:
        database.migrate()
    except UNAVAILABLE as error:
        database.close()
        place = f" in {database.file}" if database.file else ""
        raise _unusable(
            f"the database{place} does not answer: {one_line(error)}; check the variable and "
            "--data, or try again in a moment"
        ) from error
    except (DatabaseError, CommandError) as error:
        database.close()
        raise SettingsError(
            f"{database.file or 'INTERREX_DATABASE_URL'}: expected a database that this version "
            f"of Interrex can read ({one_line(error)}); put a backup in its place, or choose "
            "another one with --data or INTERREX_DATABASE_URL"
        ) from error
    return database


def one_line(error: SQLAlchemyError | CommandError) -> str:
    """What the driver, or Alembic, said, in one line, without the statement."""
    said = error.orig if isinstance(error, DBAPIError) else error
    return " ".join(str(said).split())


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Change the schema within the transaction of `Database.migration`; raises CommandError."""
    command.upgrade(_alembic(connection), revision)


def newest_revision() -> str:
    """The revision of the schema that this code reads."""
    return str(ScriptDirectory.from_config(_alembic(None)).get_current_head())


def changed(session: Session, statement: Executable) -> int:
    """Run an UPDATE, DELETE or INSERT; returns how many rows it touched."""
    return cast("CursorResult[Any]", session.execute(statement)).rowcount


def _parsed(url: str) -> URL:
    """The message of a SettingsError never quotes the address, which may hold a password."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError) as error:
        raise _unusable(f"expected {_ADDRESSES}") from error


def _open_sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        raise _unusable("a SQLite database of an arena lives in a file")
    folder = Path(url.database).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not Path(url.database).exists():
            # It will hold secret keys and bots; SQLite gives its other files the same rights.
            os.close(os.open(url.database, os.O_RDONLY | os.O_CREAT, 0o600))
    except OSError as error:
        raise _unusable(f"{folder} is no usable folder ({error.strerror})") from error
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _unusable(problem: str) -> SettingsError:
    return SettingsError(f"INTERREX_DATABASE_URL: {problem}")


def _prepare_sqlite(
    connection: sqlite3.Connection, _record: object, *, foreign_keys: bool = True
) -> None:
    # The driver would open transactions by itself, deferred: a read that later writes then fails.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _open_postgresql(url: URL) -> Engine:
    options = (
        f"-c lock_timeout={BUSY_SECONDS}s -c statement_timeout=120s "
        f"-c idle_in_transaction_session_timeout={IDLE_SECONDS}s"
    )
    return create_engine(
        url,
        pool_pre_ping=True,
        hide_parameters=True,  # an error in a log tells no seed and no token
        connect_args={"connect_timeout": 10, "options": options},
    )


def _alembic(connection: Connection | None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config
