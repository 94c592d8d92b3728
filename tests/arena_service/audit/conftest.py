"""Exports that hold, made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_service.store import exports
from arena_service.store.database import Database, open_database
from tests.arena_service.audit import events


@pytest.fixture(scope="session")
def played(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """An arena with a finished round robin and a ladder of two slots."""
    path = tmp_path_factory.mktemp("played") / "arena.db"
    shutil.copy(sqlite_template, path)
    db = open_database(f"sqlite:///{path}")
    events.tournament(db)
    events.ladder(db)
    yield db
    db.close()


@pytest.fixture(scope="session")
def cup(played: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of the round robin."""
    return events.export_tournament(played, "cup", tmp_path_factory.mktemp("cup") / "cup.gz")


@pytest.fixture(scope="session")
def daily(played: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of the ladder."""
    return events.export(exports.of_ladder(played, "daily"), tmp_path_factory.mktemp("d") / "d.gz")
