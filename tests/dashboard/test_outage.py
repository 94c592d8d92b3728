"""A page whose database is away says so, in the parts that draw themselves anew as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from arena_service.store import database as databases
from arena_service.store.database import open_database

PATIENCE = 60


def whole(path: str) -> None:
    from arena_service.store import queries
    from arena_service.store.database import open_database
    from dashboard.live import outage

    with outage.told():
        queries.waiting_series(open_database(f"sqlite:///{path}"))


def part(path: str) -> None:
    import streamlit as st

    from arena_service.store import queries
    from arena_service.store.database import open_database
    from dashboard.live import section

    def draw() -> bool:
        waiting = queries.waiting_series(open_database(f"sqlite:///{path}"))
        st.text(f"{waiting} wait")
        return True

    section.show("part", draw)


@pytest.mark.parametrize("script", [whole, part])
def test_a_database_that_is_away_is_told(
    script: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.05)
    away = tmp_path / "away.db"
    away.mkdir()
    page = AppTest.from_function(script, args=(str(away),), default_timeout=PATIENCE).run()
    assert not page.exception
    assert [each.value for each in page.error] == [
        "The arena's database does not answer. Is the arena running?"
    ]


def test_a_part_draws_again_when_the_database_is_back(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.mkdir()
    page = AppTest.from_function(part, args=(str(path),), default_timeout=PATIENCE).run()
    path.rmdir()
    back = open_database(f"sqlite:///{path}")
    back.migrate()
    back.close()
    page.run()
    assert not page.error
    assert [each.value for each in page.text] == ["0 wait"]
