"""The database that the parts of pages are drawn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_service.store.database import Database, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    db = open_database(f"sqlite:///{tmp_path / 'interrex.db'}")
    db.migrate()
    yield db
    db.close()
