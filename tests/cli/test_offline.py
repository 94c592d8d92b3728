"""Commands that need no arena, and what they say when there should be one."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bots.manifest import load
from cli import commands
from cli.commands import COMMANDS, app
from cli.profile import Profile, read_profile, write_profile


def interrex(*words: str | Path) -> Result:
    return CliRunner(env={"INTERREX_API_ADDRESS": ""}).invoke(app, [str(word) for word in words])


def test_version() -> None:
    assert interrex("version").output.startswith("interrex ")
    assert interrex("--version").output == interrex("version").output


def test_wrong_usage_ends_with_2() -> None:
    assert interrex("ladder", "create").exit_code == 2


def test_help_tells_the_exit_codes() -> None:
    assert "3 a service is not reachable" in " ".join(interrex("--help").output.split())


def test_help_lists_every_command() -> None:
    listed = interrex("--help").output
    assert [name for name in (*COMMANDS, "version") if f"│ {name} " not in listed] == []
    assert "Needs the server packages" not in listed


@pytest.mark.parametrize("name", [*COMMANDS, "version"])
def test_every_command_has_its_own_page(name: str) -> None:
    assert f"{name} [OPTIONS]" in interrex(name, "--help").output


def test_a_command_that_is_not_there_names_the_nearest() -> None:
    result = interrex("lader")
    assert result.exit_code == 2
    assert "'ladder'" in result.stderr


def test_a_command_does_not_pay_for_the_others() -> None:
    script = "import sys; from cli.commands import app; app(['version'], standalone_mode=False); "
    loaded = subprocess.run(
        [sys.executable, "-c", script + "print(*sys.modules)"], capture_output=True, text=True
    )
    assert not {"sqlalchemy", "grpc", "celery", "cli.up"} & set(loaded.stdout.split())


@pytest.mark.parametrize("name", ["up", "demo"])
def test_without_the_servers_packages_the_next_step_is_said(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "SERVER_PACKAGES", ("sqlmodel", "no_such_package"))
    result = CliRunner().invoke(commands.app, [name])
    assert result.exit_code == 2
    assert "pip install 'interrex[dashboard]'" in result.stderr


def test_without_an_arena_the_next_step_is_one_line(tmp_path: Path) -> None:
    result = interrex("ladder", "list", "--data", tmp_path)
    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        f"error: no arena runs on {tmp_path}; start it with: interrex up --data {tmp_path}"
    ]


def test_an_arena_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    (tmp_path / "addresses.json").write_text(f'{{"api": "127.0.0.1:{port}"}}')
    result = interrex("bot", "list", "--data", tmp_path)
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1
    assert f"interrex up --data {tmp_path}" in result.stderr


def test_a_new_bot_has_its_folders_name(tmp_path: Path) -> None:
    assert interrex("bot", "new", tmp_path / "my-first").exit_code == 0
    assert load(tmp_path / "my-first").name == "my-first"


@pytest.mark.parametrize("game", ["king_is_dead", "hidden_leaders_duel"])
def test_a_new_bot_plays_the_game_it_is_made_for(tmp_path: Path, game: str) -> None:
    folder = tmp_path / "mine"
    assert interrex("bot", "new", folder, "--game", game).exit_code == 0
    assert load(folder).games == (game,)
    done = interrex("play", folder, "random", "--game", game, "--pairs", "1", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["faults"] == []


def test_a_new_bot_for_another_game_is_told_which_there_are(tmp_path: Path) -> None:
    result = interrex("bot", "new", tmp_path / "mine", "--game", "chess")
    assert result.exit_code == 2
    assert "claim, hidden_leaders_duel, king_is_dead" in result.stderr


def test_a_new_bot_never_overwrites(tmp_path: Path) -> None:
    interrex("bot", "new", tmp_path / "mine")
    result = interrex("bot", "new", tmp_path / "mine")
    assert result.exit_code == 4
    assert "already there" in result.stderr


def test_a_bot_needs_a_proper_name(tmp_path: Path) -> None:
    assert interrex("bot", "new", tmp_path / "My Bot").exit_code == 2


@pytest.mark.parametrize(("parent", "cause"), [("file", "Not a directory"), ("proc", "No such")])
def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, parent: str, cause: str) -> None:
    (tmp_path / "file").touch()
    folder = {"file": tmp_path / "file", "proc": Path("/proc")}[parent] / "mine"
    result = interrex("bot", "new", folder)
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {folder} cannot be made: {cause}")


def test_a_folder_that_is_no_bot_is_not_sent(tmp_path: Path) -> None:
    result = interrex("bot", "submit", tmp_path, "--data", tmp_path)
    assert result.exit_code == 1
    assert "bot.toml" in result.stderr


def test_the_profile_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    profile = Profile("ada", "127.0.0.1:1", "ix_secret", str(tmp_path))
    path = write_profile(tmp_path, profile)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_profile(tmp_path) == profile


@pytest.mark.parametrize("content", ["{", "[]", "{}"])
def test_a_broken_profile_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "profile.json").write_text(content)
    result = interrex("bot", "list", "--data", tmp_path)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "profile.json" in result.stderr


def test_what_a_killed_arena_left_is_not_called(tmp_path: Path) -> None:
    write_profile(tmp_path, Profile("ada", "", "ix_secret", str(tmp_path)))
    gone = {"pid": 2**22 + 1, "api": "127.0.0.1:1"}  # above every process id
    (tmp_path / "addresses.json").write_text(json.dumps(gone))
    result = interrex("bot", "list", "--data", tmp_path)
    assert result.exit_code == 3
    assert f"no arena runs on {tmp_path}" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("ladder", "create", "x", "--seats"),
        ("ladder", "create", "x", "--pairs"),
        ("ladder", "create", "x", "--move-cpu-ms"),
        ("tournament", "create", "x", "--pairs"),
        ("bot", "log", "x", "--version"),
    ],
)
def test_a_number_too_large_names_its_option(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = interrex(*words, "99999999999", "--data", tmp_path)
    assert result.exit_code == 2
    assert words[-1] in result.stderr


def test_a_profile_that_cannot_be_written_makes_no_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERREX_PROFILE", str(tmp_path / "nowhere" / "profile.json"))
    result = interrex("user", "create", "ada", "--data", tmp_path)
    assert result.exit_code == 2
    assert "INTERREX_PROFILE" in result.stderr
    assert not (tmp_path / "interrex.db").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ladder", "show"), "LADDER"),
        (("play", "random", "--pairs", "1.5"), "--pairs"),
        (("ladder", "create", "x", "--foo"), "--foo"),
        (("--foo",), "--foo"),
        (("--vresion",), "--version"),
        (("laddr",), "ladder"),
        (("bot", "chek"), "check"),
    ],
)
def test_wrong_usage_is_one_line_with_the_next_step(words: tuple[str, ...], said: str) -> None:
    result = interrex(*words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert said in line
    assert line.endswith(" --help")


def test_a_group_without_a_command_shows_its_help() -> None:
    result = interrex("ladder")
    assert "run-now" in result.output + result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("up", "--data", ""),
        ("ladder", "list", "--data", ""),
        ("play", "random", "random", "--out", ""),
        ("replay", "export", "x", "-o", ""),
        ("bot", "check", ""),
        ("backup", ""),
        ("tournament", "audit", ""),
        ("tournament", "publish", "x", ""),
        ("ladder", "export", "x", "-o", ""),
    ],
)
def test_an_empty_name_is_not_the_folder_one_stands_in(words: tuple[str, ...]) -> None:
    result = interrex(*words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "expected the name of a file or folder, got ''" in line
