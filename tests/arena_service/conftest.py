"""The database fixtures: the same tests on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text

from arena_service.store.database import Database, open_database
from tests.arena_service import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A server with a migrated database `template`."""
    with postgres.server() as server:
        _create(server, "template")
        template = open_database(postgres.url(server, "template"))
        template.migrate()
        template.close()
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy."""
    path = tmp_path_factory.mktemp("template") / "arena.db"
    template = open_database(f"sqlite:///{path}")
    template.migrate()
    template.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh migrated database."""
    if request.param == "sqlite":
        template = request.getfixturevalue("sqlite_template")
        shutil.copy(template, tmp_path / "arena.db")
        return f"sqlite:///{tmp_path / 'arena.db'}"
    server = request.getfixturevalue("postgres_server")
    name = f"t{uuid4().hex}"
    _create(server, name, template="template")
    return postgres.url(server, name)


@pytest.fixture(params=["sqlite", "postgresql"])
def unmigrated(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without any table."""
    if request.param == "sqlite":
        opened = open_database(f"sqlite:///{tmp_path / 'empty.db'}")
    else:
        server, name = request.getfixturevalue("postgres_server"), f"t{uuid4().hex}"
        _create(server, name)
        opened = open_database(postgres.url(server, name))
    yield opened
    opened.close()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh migrated database."""
    opened = open_database(database_url)
    yield opened
    opened.close()


def _create(server: str, name: str, template: str = "template1") -> None:
    engine = create_engine(postgres.url(server, "postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    engine.dispose()
