"""The commands against a real API server on the data folder's own database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena_service.store.database import Database
from cli.client import connect
from tests.arena_service.api.played import enter, lease, pass_checks
from tests.cli.conftest import Command


def test_a_user_is_made_with_a_private_profile(run: Command, data: Path) -> None:
    result = run("user", "create", "ada")
    profile = data / "profile.json"
    assert result.exit_code == 0, result.output
    assert str(profile) in result.output.replace("\n", "")
    assert profile.stat().st_mode & 0o777 == 0o600
    assert set(json.loads(profile.read_text())) == {"user", "api", "token", "data"}


def test_a_profile_is_never_overwritten(run: Command, data: Path) -> None:
    run("user", "create", "ada")
    before = (data / "profile.json").read_bytes()
    result = run("user", "create", "bob")
    assert result.exit_code == 4
    assert "INTERREX_PROFILE" in result.stderr
    assert (data / "profile.json").read_bytes() == before


def test_a_second_user_has_another_profile(run: Command, data: Path) -> None:
    run("user", "create", "ada")
    second = str(data / "bob.json")
    assert run("user", "create", "bob", profile=second).exit_code == 0
    assert json.loads(Path(second).read_text())["user"] == "bob"


def test_a_lost_token_is_renewed(run: Command, data: Path) -> None:
    run("user", "create", "ada")
    first = (data / "profile.json").read_bytes()
    second = str(data / "bob.json")
    run("user", "create", "bob", profile=second)
    refused = run("user", "renew", "bob")
    assert (refused.exit_code, (data / "profile.json").read_bytes()) == (4, first)
    assert run("user", "renew", "cy", profile=str(data / "cy.json")).exit_code == 4
    lost = json.loads((data / "profile.json").read_text())["token"]
    assert run("user", "renew", "ada").exit_code == 0
    assert json.loads((data / "profile.json").read_text())["token"] != lost
    assert run("bot", "list").exit_code == 0
    (data / "profile.json").write_bytes(first)
    assert run("bot", "list").exit_code == 4


@pytest.mark.parametrize("name", ["", "A b", "x" * 50])
def test_a_bad_user_name_is_refused(run: Command, name: str) -> None:
    result = run("user", "create", name)
    assert result.exit_code == 4
    assert len(result.stderr.splitlines()) == 1


def test_a_bot_is_submitted_once(run: Command, bot: Path) -> None:
    assert "my-bot version 1 submitted" in run("bot", "submit", bot, "--no-wait").output
    assert "my-bot version 1 already there" in run("bot", "submit", bot, "--no-wait").output
    (bot / "main.py").write_text("# other\n")
    assert "my-bot version 2 submitted" in run("bot", "submit", bot, "--no-wait").output


def test_bots_are_listed_for_people_and_programs(run: Command, bot: Path) -> None:
    assert "interrex bot new" in run("bot", "list").output
    assert json.loads(run("bot", "list", "--json").output) == []
    run("bot", "submit", bot, "--no-wait")
    assert "my-bot" in run("bot", "list").output
    assert "ada/my-bot" in run("bot", "list", "--all").output
    (listed,) = json.loads(run("bot", "list", "--json").output)
    assert (listed["bot"], listed["version"], listed["games"]) == ("my-bot", 1, ["claim"])


def test_a_refusal_is_one_line_with_its_reason(run: Command, bot: Path) -> None:
    (bot / "main.py").unlink()
    result = run("bot", "submit", bot, "--no-wait")
    assert result.exit_code == 4
    assert len(result.stderr.splitlines()) == 1
    assert "PROGRAM_MISSING" in result.stderr


def test_without_an_account_the_next_step_is_said(run: Command, tmp_path: Path) -> None:
    run("bot", "new", tmp_path / "mine")
    result = run("bot", "submit", tmp_path / "mine", "--no-wait")
    assert result.exit_code == 4
    assert "interrex user create" in result.stderr


def test_a_ladder_from_its_start_to_its_slot(run: Command, bot: Path, db: Database) -> None:
    run("bot", "submit", bot, "--no-wait")
    run("bot", "submit", bot, "--no-wait", "--name", "twin")
    assert run("ladder", "create", "daily", "--pairs", "3").exit_code == 0
    assert run("ladder", "run-now", "daily").exit_code == 4
    for name in ("my-bot", "twin"):
        assert run("ladder", "enter", "daily", name).exit_code == 0
    pass_checks(db)
    assert run("ladder", "run-now", "daily").exit_code == 0
    assert "daily" in run("ladder", "show", "daily").output
    assert run("ladder", "leave", "daily", "twin").exit_code == 0
    (listed,) = json.loads(run("ladder", "list", "--json").output)
    assert (listed["name"], listed["pairs_per_slot"], listed["entrants"]) == ("daily", 3, 1)
    shown = json.loads(run("ladder", "show", "daily", "--json").output)
    assert [(row["bot"], row["pairs"]) for row in shown["standings"]] == [("my-bot", 0)]


def test_an_unknown_match_has_no_replay(run: Command, tmp_path: Path) -> None:
    result = run("replay", "export", "nothing", "-o", tmp_path / "x")
    assert result.exit_code == 4
    assert not (tmp_path / "x").exists()


def test_a_replay_is_exported_and_verified(run: Command, db: Database, tmp_path: Path) -> None:
    run("user", "create", "ada")
    with connect(tmp_path) as arena:
        enter(db, {"one": arena, "two": arena})
    slot = lease(db)
    first, second = slot.legs(0)
    slot.play(first)
    target = tmp_path / "x.replay.json"
    early = run("replay", "export", first.match_id, "-o", target)
    assert early.exit_code == 4
    assert "PAIR_INCOMPLETE" in early.stderr
    assert not target.exists()
    slot.play(second)
    assert run("replay", "export", first.match_id, "-o", target).exit_code == 0
    listed = run("replay", "list", "--ladder", "daily").output
    assert first.match_id in listed
    assert "one 1 (" in listed
    plain = json.loads(target.read_bytes())
    words = ("replay", "export", first.match_id, "-o", target, "--legal", "--views")
    assert run(*words).exit_code == 0
    rich = json.loads(target.read_bytes())
    assert rich["digest"] == plain["digest"]
    for ply in rich["plies"]:
        assert ply["action"] in ply["legal"]
        assert [view["viewer"] for view in ply["views"]] == [0, 1]
    verified = run("replay", "verify", target, first.match_id)
    assert verified.exit_code == 0
    assert verified.output.count(": ok, ") == 2
    unwritable = run("replay", "export", first.match_id, "-o", tmp_path / "no" / "x")
    assert unwritable.exit_code == 1
    assert len(unwritable.stderr.splitlines()) == 1
