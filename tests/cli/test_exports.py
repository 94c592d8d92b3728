"""`export` and `audit` as they are typed, the audit with no arena at all."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena_service.audit.examine import CLAIMS
from arena_service.store.database import Database
from cli import exports
from cli.commands import app
from tests.arena_service.audit import events
from tests.cli.conftest import Command


def alone(*words: str | Path) -> Result:
    """Without an arena, a profile or a data folder."""
    env = {"INTERREX_API_ADDRESS": "", "INTERREX_DATA": "/nonexistent", "INTERREX_DATABASE_URL": ""}
    return CliRunner(env=env).invoke(app, [str(word) for word in words])


@pytest.fixture
def cup(run: Command, db: Database, tmp_path: Path) -> Path:
    events.tournament(db)
    events.ladder(db)
    path = tmp_path / "cup.jsonl.gz"
    done = run("tournament", "export", "cup", "-o", path)
    assert done.exit_code == 0, done.output
    assert f"interrex tournament audit {path}" in done.stdout
    assert [each.name for each in tmp_path.glob("*.part")] == []
    return path


def test_what_is_exported_is_proven(run: Command, cup: Path, tmp_path: Path) -> None:
    done = alone("tournament", "audit", cup)
    assert done.exit_code == 0, done.output
    assert all(name in done.stdout for name in CLAIMS)
    assert "All proofs hold." in done.stdout
    assert json.loads(alone("tournament", "audit", cup, "--json").stdout)["clean"]
    daily = tmp_path / "daily.gz"
    assert run("ladder", "export", "daily", "-o", daily, "--slot", "2").exit_code == 0
    told = alone("ladder", "audit", daily)
    assert told.exit_code == 0, told.output
    assert "they rest on slots that are not in this file" in told.stdout


def test_what_was_changed_ends_with_1_and_its_match(cup: Path, tmp_path: Path) -> None:
    lines = events.read(cup)
    match = next(line for line in lines if line["kind"] == "match" and line["pair"] == 2)
    match["players"][0]["bot_seed"] = "0" * 32
    changed = events.write(tmp_path / "changed.gz", lines)
    done = alone("tournament", "audit", changed)
    assert done.exit_code == 1
    assert f"pair 2 leg 0 match {match['id']} the seeds of its bots do not follow" in done.stdout
    report = json.loads(alone("tournament", "audit", changed, "--json").stdout)
    assert [each["proof"] for each in report["problems"]] == ["seats"]


def test_what_a_file_says_does_not_steer_the_terminal(cup: Path, tmp_path: Path) -> None:
    lines = events.read(cup)
    match = next(line for line in lines if line["kind"] == "match")
    match["result"]["ending"] = "\x1b[31mred"
    done = alone("tournament", "audit", events.write(tmp_path / "changed.gz", lines))
    assert done.exit_code == 1
    assert "[31mred" in done.stdout
    assert "\x1b" not in done.stdout


def test_what_is_no_export_is_one_line(cup: Path, tmp_path: Path) -> None:
    for path, code in ((Path(__file__), 1), (tmp_path / "nothing", 2), (tmp_path, 2)):
        done = alone("tournament", "audit", path)
        assert (done.exit_code, len(done.stderr.splitlines())) == (code, 1)
        assert str(path) in done.stderr


def test_a_file_that_cannot_be_written_is_one_line(run: Command, cup: Path) -> None:
    done = run("tournament", "export", "cup", "-o", "/nonexistent/cup.gz")
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "error: /nonexistent/cup.gz cannot be written: No such file or directory"
    ]


def test_a_refused_export_leaves_no_file(run: Command, db: Database, tmp_path: Path) -> None:
    events.started_tournament(db)
    done = run("tournament", "export", "cup", "-o", tmp_path / "cup.gz")
    assert done.exit_code == 4
    assert "it can be exported when it has ended" in done.stderr
    assert list(tmp_path.glob("cup.gz*")) == []


def test_without_the_servers_packages_the_next_step_is_said(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "NEEDED", ("no_such_package",))
    done = alone("tournament", "audit", cup)
    assert done.exit_code == 2
    assert "pip install" in done.stderr


def test_an_export_is_published(cup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    done = alone("tournament", "publish", cup, folder)
    assert done.exit_code == 0, done.output
    assert {each.name for each in folder.iterdir()} == {
        "index.html",
        "standings.csv",
        "matches.csv",
        cup.name,
    }
    lines = events.read(cup)
    with (folder / "standings.csv").open(newline="") as stream:
        standings = list(csv.DictReader(stream))
    told = [line for line in lines if line["kind"] == "standing"]
    assert [float(row["credit"]) for row in standings] == [row["credit"] for row in told]
    with (folder / "matches.csv").open(newline="") as stream:
        seats = list(csv.DictReader(stream))
    results = [line["result"] for line in lines if line["kind"] == "match"]
    assert len(seats) == 2 * len(results)
    assert sum(int(row["at_fault"]) for row in seats) == sum(len(r["faults"]) for r in results)
    page = (folder / "index.html").read_text()
    (event,) = (line for line in lines if line["kind"] == "event")
    assert event["commitment"] in page
    assert event["key"] in page
    assert hashlib.sha256(cup.read_bytes()).hexdigest() in page
    assert all(row["bot"] in page for row in standings)
    assert alone("tournament", "audit", folder / cup.name).exit_code == 0
    assert alone("tournament", "publish", folder / cup.name, folder).exit_code == 0


def test_what_is_written_in_a_page_is_text(cup: Path, tmp_path: Path) -> None:
    lines = events.read(cup)
    owner = next(line["owner"] for line in lines if line["kind"] == "entrant")
    renamed = json.loads(json.dumps(lines).replace(owner, "<script>alert(1)</script>"))
    changed = events.write(tmp_path / "changed.gz", renamed)
    assert alone("tournament", "publish", changed, tmp_path / "web").exit_code == 0
    assert "<script" not in (tmp_path / "web" / "index.html").read_text()


def test_what_is_no_export_is_not_published(tmp_path: Path) -> None:
    done = alone("ladder", "publish", Path(__file__), tmp_path / "web")
    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
