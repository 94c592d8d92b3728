"""The schema is what the migrations make of it."""

from __future__ import annotations

from datetime import datetime

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import SQLModel

from arena_service.store.database import Database, open_database
from arena_service.store.tables import Account, Bot


def test_the_migrations_make_the_tables_of_the_code(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, SQLModel.metadata) == []


def test_migrating_again_changes_nothing(database: Database) -> None:
    before = inspect(database.engine).get_table_names()
    database.migrate()
    assert inspect(database.engine).get_table_names() == before


def test_foreign_keys_are_enforced(database: Database) -> None:
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Bot(owner="nobody", name="x"))


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    naive = Account(name="x", token_sha256="y", created_at=datetime(2026, 1, 1))
    with pytest.raises(StatementError, match="time zone"), database.write() as session:
        session.add(naive)


def test_an_exception_rolls_a_write_back(database: Database) -> None:
    twice = [Account(name="x", token_sha256="y"), Account(name="x", token_sha256="z")]
    with pytest.raises(IntegrityError), database.write() as session:
        session.add_all(twice)
    with database.read() as session:
        assert session.execute(text("SELECT count(*) FROM account")).scalar_one() == 0


def test_other_databases_and_sqlite_in_memory_are_refused() -> None:
    for url in ("mysql://x/y", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ValueError, match="database"):
            open_database(url)
