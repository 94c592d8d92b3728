"""The examined arena, filled once and copied for every test, on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from arena_service.store.database import Database, open_database
from tests.arena_service import postgres
from tests.arena_service.conftest import _create
from tests.arena_service.doctor.arena import fill


@pytest.fixture(scope="session")
def filled_sqlite(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "arena.db"
    shutil.copy(sqlite_template, path)
    _fill(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def filled_postgresql(postgres_server: str) -> tuple[str, str]:
    """A server and the name of a filled database, of its own for every folder of tests."""
    name = f"filled_{uuid4().hex}"
    _create(postgres_server, name, template="template")
    _fill(postgres.url(postgres_server, name))
    return postgres_server, name


@pytest.fixture(params=["sqlite", "postgresql"])
def filled_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh copy."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("filled_sqlite"), tmp_path / "interrex.db")
        return f"sqlite:///{tmp_path / 'interrex.db'}"
    (server, template), name = request.getfixturevalue("filled_postgresql"), f"t{uuid4().hex}"
    _create(server, name, template=template)
    return postgres.url(server, name)


@pytest.fixture
def filled(filled_url: str) -> Iterator[Database]:
    opened = open_database(filled_url)
    yield opened
    opened.close()


def _fill(url: str) -> None:
    database = open_database(url)
    fill(database)
    database.close()
