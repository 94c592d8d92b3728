"""The clock outlives its database, its broker and its own bugs: the next tick tries again."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from kombu.exceptions import OperationalError

from arena_service.scheduling import slots
from arena_service.status import queries
from arena_service.store import database as databases
from arena_service.store import ladders
from arena_service.store.database import Database, open_database
from tests.arena_service.store.arena import SmallArena
from workers import control, tasks
from workers.control import Control

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(seconds=30)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.05)
    return tmp_path / "arena.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{path}")
    opened.migrate()
    yield opened
    opened.close()


def test_a_tick_says_that_the_clock_lives(database: Database) -> None:
    clock = Control(database)
    assert clock.tick(NOW) == 0
    assert queries.status(database, NOW).queue.tick_seconds == 0
    clock.close()
    assert queries.status(database, NOW).queue.tick_seconds is None


def test_a_locked_database_ends_the_tick_alone(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Control(database)
    with sqlite3.connect(path) as other:
        other.execute("BEGIN IMMEDIATE")
        assert clock.tick(NOW) == 0
    assert "the next tick tries again" in caplog.text
    clock.tick(LATER)
    assert queries.status(database, LATER).queue.tick_seconds == 0


def test_a_database_that_is_locked_in_mid_tick_is_waited_for_once(
    database: Database,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    arenas = [SmallArena(database, name=name) for name in "abc"]
    with sqlite3.connect(path) as other:

        def lock(_database: Database, _now: datetime) -> None:
            other.execute("BEGIN IMMEDIATE")

        monkeypatch.setattr(control, "STEPS", (lock, slots.tick))
        assert Control(database).tick(arenas[0].due) == 0
    assert caplog.text.count("the next tick tries again") == 1
    assert "a slot cannot be closed" not in caplog.text
    slots.tick(database, arenas[0].due)
    assert {ladders.show(database, arena.ladder).slot for arena in arenas} == {2}


def test_a_database_that_is_away_comes_back(tmp_path: Path, database: Database) -> None:
    away = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    clock = Control(away)
    moved = (tmp_path / "arena.db").rename(tmp_path / "elsewhere")
    (tmp_path / "arena.db").mkdir()
    assert clock.tick(NOW) == 0
    (tmp_path / "arena.db").rmdir()
    moved.rename(tmp_path / "arena.db")
    clock.tick(LATER)
    assert queries.status(database, LATER).queue.tick_seconds == 0
    clock.close()


def test_a_broken_step_holds_up_no_other(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    taken = threading.Event()

    def broken(_database: Database, _now: datetime) -> NoReturn:
        raise ZeroDivisionError

    steps = (broken, lambda _database, _now: taken.set())
    monkeypatch.setattr(control, "STEPS", steps)
    Control(database).tick(NOW)
    assert taken.is_set()
    assert "a step of the tick failed" in caplog.text


def test_a_broker_that_is_away_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(**_: object) -> NoReturn:
        raise OperationalError("connection refused")

    monkeypatch.setattr(control, "tick", lambda _settings: 3)
    monkeypatch.setattr(tasks.drain, "apply_async", refuse)
    tasks.tick()
    assert "the broker does not answer" in caplog.text
