"""`interrex status` before an arena that only has its API: much is missing, and that is said."""

from __future__ import annotations

import json
from pathlib import Path

from arena_service.status.heartbeat import Heartbeat
from arena_service.store.database import Database
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
