"""What was done, told to programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena_service.store.database import Database
from tests.arena_service.api.played import pass_checks
from tests.cli.conftest import Command


def told(run: Command, *words: str | Path) -> dict[str, Any]:
    """The one JSON document on stdout of a command that succeeds."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_an_upload_is_told_with_its_version(run: Command, bot: Path) -> None:
    first, again = (
        told(run, "bot", "submit", bot, "--no-wait"),
        told(run, "bot", "submit", bot, "--no-wait"),
    )
    assert (first["created"], again["created"]) == (True, False)
    assert first["version"] == again["version"]
    assert (first["version"]["bot"], first["version"]["version"]) == ("my-bot", 1)
    assert len(first["version"]["sha256"]) == 64


def test_a_ladder_is_told_when_it_is_made_entered_and_due(
    run: Command, bot: Path, db: Database
) -> None:
    version = told(run, "bot", "submit", bot, "--no-wait")["version"]
    run("bot", "submit", bot, "--no-wait", "--name", "twin")
    made = told(run, "ladder", "create", "daily", "--pairs", "3")
    assert (made["name"], made["pairs_per_slot"], made["entrants"]) == ("daily", 3, 0)
    entered = told(run, "ladder", "enter", "daily", "my-bot")
    assert (entered["version_id"], entered["version"]) == (version["id"], 1)
    run("ladder", "enter", "daily", "twin")
    pass_checks(db)
    due = told(run, "ladder", "run-now", "daily")
    assert (due["id"], due["commitment"]) == (made["id"], made["commitment"])
    assert due["next_due"] <= made["next_due"]


def test_a_refusal_is_no_document(run: Command, bot: Path) -> None:
    result = run("ladder", "enter", "daily", "my-bot", "--json")
    assert result.exit_code == 4
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
