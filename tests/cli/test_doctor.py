"""`interrex doctor` as an operator runs it: a table, a document, and an exit code that tells."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena_service.doctor.examine import CLAIMS
from arena_service.store.database import open_database
from cli.commands import app
from tests.arena_service.doctor.arena import fill
from tests.arena_service.doctor.breaking import COUNTED
from tests.arena_service.doctor.meddling import meddle


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("sound")
    database = open_database(f"sqlite:///{data / 'interrex.db'}")
    database.migrate()
    fill(database)
    database.close()
    return data


@pytest.fixture
def broken(sound: Path, tmp_path: Path) -> Path:
    data = Path(shutil.copytree(sound, tmp_path / "broken"))
    meddle(f"sqlite:///{data / 'interrex.db'}", [f"DELETE FROM ledger WHERE match = {COUNTED}"])
    return data


@pytest.fixture(autouse=True)
def _no_other_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERREX_DATABASE_URL", raising=False)


def doctor(data: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["doctor", "--data", str(data), *options])


def test_a_sound_arena_ends_with_0(sound: Path) -> None:
    done = doctor(sound)
    assert done.exit_code == 0
    assert all(name in done.stdout for name in CLAIMS)
    assert "odd, refused posts: the lease is lost: 1" in done.stdout
    assert "All proofs hold." in done.stdout


def test_a_problem_ends_with_1_and_its_ids(broken: Path) -> None:
    done = doctor(broken)
    assert done.exit_code == 1
    assert "is a rated match and not in the ledger" in done.stdout
    assert "Something does not agree" in done.stdout
    report = json.loads(doctor(broken, "--json").stdout)
    assert not report["clean"]
    assert {each["proof"] for each in report["problems"]} == {"ledger", "ratings", "standings"}
    assert all(each["about"].split()[1] for each in report["problems"])


def test_a_folder_without_an_arena_stays_empty(tmp_path: Path) -> None:
    assert doctor(tmp_path).exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INTERREX_DATABASE_URL", "mysql://somewhere/arena"),
        ("INTERREX_DATABASE_URL", "nonsense"),
        ("INTERREX_LEASE_SECONDS", "soon"),
    ],
)
def test_wrong_settings_end_with_2(
    sound: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    done = doctor(sound)
    assert done.exit_code == 2
    assert "error:" in done.stderr


def test_a_database_without_the_tables_is_one_line(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'interrex.db'}").engine.connect().close()
    done = doctor(tmp_path)
    assert done.exit_code == 1
    assert "cannot be read, or is of another version" in done.stderr
    assert str(tmp_path / "interrex.db") in done.stderr
    assert len(done.stderr.splitlines()) == 1
