"""The schema is what the migrations make of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import SQLModel

from arena_service.settings import SettingsError
from arena_service.store.database import Database, open_database, open_migrated
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


@pytest.mark.parametrize(
    "url",
    [
        "",
        "secret",
        "mysql://x:secret@h/y",
        "postgresql://x:secret@h/y",
        "postgresql+psycopg://x:secret@h:port/y",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:////dev/null/secret.db",
    ],
)
def test_an_address_that_cannot_be_used_is_named_and_not_quoted(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^INTERREX_DATABASE_URL: ") as refused:
        open_database(url)
    assert "secret" not in str(refused.value)


def test_a_database_that_is_away_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"INTERREX_DATABASE_URL: the database in .* does not answer"
    ):
        open_migrated(f"sqlite:///{tmp_path}")
