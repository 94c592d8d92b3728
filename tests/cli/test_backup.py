"""`interrex backup` and `restore` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena_service.store.database import Database
from cli.commands import app
from tests.arena_service.doctor.arena import fill
from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def _no_other_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERREX_DATABASE_URL", raising=False)


@pytest.fixture
def backup(run: Command, db: Database, tmp_path: Path) -> Path:
    fill(db)
    run("user", "create", "organiser")
    path = tmp_path / "arena.backup"
    done = run("backup", path)
    assert done.exit_code == 0, done.output
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.glob("*.part")) == []
    return path


def into(data: Path, *words: str | Path) -> Result:
    return CliRunner(env={"INTERREX_DATA": str(data)}).invoke(app, [str(word) for word in words])


def test_an_arena_comes_back_as_it_was(backup: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    done = into(other, "restore", backup)
    assert done.exit_code == 0, done.output
    assert "interrex doctor" in done.output
    assert json.loads(into(other, "doctor", "--json").output)["clean"]
    profile = other / "profile.json"
    assert profile.read_bytes() == (tmp_path / "profile.json").read_bytes()
    assert profile.stat().st_mode & 0o777 == (other / "interrex.db").stat().st_mode & 0o777 == 0o600


def test_nothing_is_written_over(run: Command, backup: Path, tmp_path: Path) -> None:
    before = backup.read_bytes()
    again = run("backup", backup)
    assert (again.exit_code, backup.read_bytes()) == (4, before)
    assert "is there already" in again.stderr
    done = run("restore", backup)
    assert done.exit_code == 4
    assert "is there already" in done.stderr


def test_a_file_that_is_no_backup_leaves_nothing(backup: Path, tmp_path: Path) -> None:
    there, deep = tmp_path / "there", tmp_path / "new" / "deep"
    there.mkdir()
    for content in (b"rubbish", backup.read_bytes()[:-100], b""):
        backup.write_bytes(content)
        for data in (there, deep):
            done = into(data, "restore", backup)
            assert done.exit_code == 1
            assert (len(done.stderr.splitlines()), str(backup) in done.stderr) == (1, True)
        assert [list(there.iterdir()), deep.parent.exists()] == [[], False]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    done = into(nowhere, "backup", tmp_path / "arena.backup")
    assert (done.exit_code, nowhere.exists()) == (2, False)
    assert "holds no arena" in done.stderr
    done = into(tmp_path / "other", "restore", nowhere)
    assert done.exit_code == 2
    assert f"{nowhere} cannot be read" in done.stderr
