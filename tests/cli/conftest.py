"""A real API server on the data folder's own database, and the commands that call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena_service.api.server import start
from arena_service.store.database import Database, open_database
from cli.commands import app

Command = Callable[..., Result]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'interrex.db'}")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def data(db: Database, tmp_path: Path) -> Iterator[Path]:
    server = start(db, "127.0.0.1:0")
    (tmp_path / "addresses.json").write_text(json.dumps({"api": server.address}))
    yield tmp_path
    server.stop()


@pytest.fixture
def run(data: Path) -> Command:
    def invoke(*words: str | Path, profile: str = "") -> Result:
        env = {"INTERREX_DATA": str(data), "INTERREX_PROFILE": profile}
        return CliRunner(env=env).invoke(app, [str(word) for word in words])

    return invoke


@pytest.fixture
def bot(run: Command, tmp_path: Path) -> Path:
    """An account and a bot's folder."""
    assert run("user", "create", "ada").exit_code == 0
    folder = tmp_path / "my-bot"
    assert run("bot", "new", folder).exit_code == 0
    return folder
