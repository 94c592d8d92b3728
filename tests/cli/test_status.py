"""`interrex status` before an arena that only has its API: much is missing, and that is said."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from arena_service.status.heartbeat import Heartbeat
from arena_service.status.report import CauseCount, Queue, Status
from arena_service.store.database import Database
from cli.status import screen
from tests.cli.conftest import Command


def test_what_is_wrong_comes_first_with_the_next_step(run: Command) -> None:
    run("user", "create", "ada")
    result = run("status")
    assert result.exit_code == 1
    said = result.output.splitlines()
    assert said[0].startswith("✗ the engine does not answer at ")
    assert "✗ the arena's clock does not tick: no control worker runs" in said
    assert "✗ no match worker takes matches" in said
    assert any("worker-matches.log" in line for line in said)


def test_programs_read_the_problems_too(run: Command) -> None:
    run("user", "create", "ada")
    result = run("status", "--json")
    assert result.exit_code == 1
    document = json.loads(result.output)
    assert document["queue"]["series_waiting"] == 0
    assert {row["kind"] for row in document["processes"]} == {"engine", "broker"}
    assert all(problem["advice"] for problem in document["problems"])


def test_a_spectator_is_told_the_queue_and_who_may_see_more(run: Command, db: Database) -> None:
    Heartbeat(db, "control").beat()
    result = run("status")
    assert result.exit_code == 0
    assert result.output.startswith("● all is well")
    assert "interrex user create" in result.output
    assert "waiting  nothing" in result.output


def test_json_is_one_document(run: Command) -> None:
    assert run("status", "--json", "--watch").exit_code == 2


def test_no_arena_is_no_status(tmp_path: Path, run: Command, data: Path) -> None:
    (data / "addresses.json").unlink()
    assert run("status").exit_code == 3


@pytest.mark.parametrize(
    ("goes_on", "verdict"),
    [
        (True, "● all runs; 3 attempts failed within the last 24 h and are played again"),
        (False, "● all is well; 3 attempts failed within the last 24 h and were played again"),
    ],
)
def test_failures_are_said_in_the_headline_and_whether_they_go_on(
    goes_on: bool, verdict: str
) -> None:
    queue = Queue(0, 0, 0, None, 1.0, 0)
    report = Status(queue, (), (CauseCount("engine", "no answer", 3, goes_on),), ())
    console = Console(width=120, record=True, file=StringIO())
    console.print(screen(report))
    first, *_, last = console.export_text().splitlines()
    assert first == verdict
    assert last.split()[:4] == ["engine", "3", *(["goes", "on"] if goes_on else ["over", "no"])]
