"""Bad input on the command line: one line that names what is wrong, the next step, a code."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena_service.settings import Settings
from cli.addresses import dashboard_address
from cli.commands import app
from cli.places import PORT_NOTE, dashboard_port
from cli.profile import Profile, write_profile
from cli.running import RUN_DIR_NOTE, new_run_dir
from tests.cli.conftest import Command

CONTROL = "\x1b[31mred\n\x07"
HUGE = "x" * 100_000


def interrex(*words: str | Path, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(app, [str(word) for word in words])


def line(result: Result, code: int) -> str:
    """The one line on stderr of a command that ends with this code."""
    assert result.exit_code == code, (result.output, result.exception)
    (told,) = result.stderr.splitlines()
    assert told.startswith("error: ")
    assert told.isprintable()
    return told


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (("ladder", "show", "nope"), "interrex ladder list"),
        (("ladder", "enter", "nope", "my-bot"), "interrex ladder list"),
        (("tournament", "show", "nope"), "interrex tournament list"),
        (("tournament", "watch", "nope"), "interrex tournament list"),
        (("challenge", "show", "nope"), "interrex challenge list"),
        (("bot", "log", "nope"), "interrex bot list"),
        (("bot", "log", "my-bot", "--version", "9"), "interrex bot list"),
        (("bot", "disable", "nope"), "interrex bot list"),
        (("replay", "export", "nope", "-o", "x"), "interrex replay list"),
        (("replay", "list", "--ladder", "nope"), "interrex ladder list"),
    ],
)
def test_an_unknown_name_says_where_the_known_ones_are(
    run: Command, bot: Path, words: tuple[str, ...], listed: str
) -> None:
    run("bot", "submit", bot, "--no-wait")
    assert line(run(*words), 4).endswith(f"; see what there is: {listed}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ladder", "create", "x", "--game", "nope"), "--game: expected one of claim, "),
        (("ladder", "create", "x", "--pairs", "9999"), "--pairs: expected 1 to "),
        (("ladder", "create", "x", "--seats", "9"), "--seats: expected 2 for claim"),
        (("ladder", "create", "x", "--move-cpu-ms", "999999"), "--move-cpu-ms: expected 0 to "),
        (("ladder", "create", "x", "--cron", "never"), "--cron: expected exactly five fields"),
        (("ladder", "create", "x", "--timezone", "Mars"), "--timezone: expected an IANA"),
        (("ladder", "create", "No Name"), "NAME: expected 1 to 40 of a-z"),
        (("tournament", "create", "x", "--pairs", "9999"), "--pairs: expected 1 to "),
        (("tournament", "create", "x", "--format", "nope"), "--format: expected one of "),
        (
            ("tournament", "create", "x", "--format", "test", "--sprt", "5", "5"),
            "--sprt ELO1: expected more than 5.0, got 5.0",
        ),
    ],
)
def test_a_bad_value_is_told_by_the_name_of_its_option(
    run: Command, bot: Path, words: tuple[str, ...], told: str
) -> None:
    assert line(run(*words), 4).startswith(f"error: {told}")


def test_a_name_for_an_upload_is_told_by_its_option(run: Command, bot: Path) -> None:
    told = line(run("bot", "submit", bot, "--name", "No Name", "--no-wait"), 4)
    assert told.startswith("error: --name: expected 1 to 40 of a-z")


def test_a_bot_that_is_not_entered_is_told_by_its_name(run: Command, bot: Path) -> None:
    run("bot", "submit", bot, "--no-wait")
    for kind in ("ladder", "tournament"):
        run(kind, "create", "cup")
        told = line(run(kind, "leave", "cup", "my-bot"), 4)
        assert "my-bot is not entered in cup" in told


@pytest.mark.parametrize("word", [CONTROL, HUGE, "", "ä ö"])
def test_no_word_is_too_strange(run: Command, bot: Path, word: str) -> None:
    assert len(line(run("ladder", "show", word), 4)) < 400
    assert len(line(run("bot", "log", word), 4)) < 400
    assert len(line(run("ladder", "create", word), 4)) < 400
    assert len(line(run("ladder", "create", "x", "--game", word or " "), 4)) < 400
    assert len(line(run("ladder", "create", "x", "--timezone", word or " "), 4)) < 400
    assert len(line(run("ladder", "create", "x", "--cron", word or " "), 4)) < 400
    assert len(line(run("tournament", "create", "x", "--format", word or " "), 4)) < 400


def test_deep_json_is_a_word_that_the_game_refuses(run: Command, bot: Path) -> None:
    told = line(run("ladder", "create", "x", "--option", f"blind_peek={'[' * 50_000}"), 4)
    assert "'blind_peek': expected true or false" in told


def test_a_missing_token_names_the_file_and_how_to_get_one(run: Command, data: Path) -> None:
    told = line(run("bot", "list"), 4)
    assert str(data / "profile.json") in told
    assert "interrex user create" in told


def test_a_token_that_is_not_known_names_its_file(run: Command, data: Path) -> None:
    write_profile(data, Profile("ada", "", "ix_other", str(data)))
    told = line(run("ladder", "list"), 4)
    assert f"the token in {data / 'profile.json'}" in told
    assert "INTERREX_PROFILE" in told


@pytest.mark.parametrize("token", ["ix_\n", "ix_ä", "a b", "\0"])
def test_a_token_that_no_call_could_carry_is_never_sent(
    run: Command, data: Path, token: str
) -> None:
    write_profile(data, Profile("ada", "", token, str(data)))
    told = line(run("ladder", "list"), 1)
    assert f"{data / 'profile.json'}: token: expected " in told


@pytest.mark.parametrize(
    "content", [b"\xff\x00", b"[" * 100_000, b'{"user": 1, "api": "", "token": "", "data": ""}']
)
def test_rubbish_in_the_profile_is_told_with_its_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "profile.json").write_bytes(content)
    told = line(interrex("bot", "list", "--data", tmp_path), 1)
    assert told.startswith(f"error: {tmp_path / 'profile.json'}: ")
    assert "INTERREX_PROFILE" in told


@pytest.mark.parametrize("address", ["nonsense", "a b:1", "ä:1", "h:1\n"])
def test_an_address_that_is_none_names_where_it_stands(tmp_path: Path, address: str) -> None:
    told = line(interrex("bot", "list", "--data", tmp_path, INTERREX_API_ADDRESS=address), 2)
    assert told.startswith("error: INTERREX_API_ADDRESS: expected host:port")


def test_an_address_that_is_chosen_is_named_when_nothing_answers(tmp_path: Path) -> None:
    told = line(interrex("bot", "list", "--data", tmp_path, INTERREX_API_ADDRESS="127.0.0.1:1"), 3)
    assert "INTERREX_API_ADDRESS says so" in told


def test_an_address_that_is_chosen_goes_before_the_arena_that_runs_here(tmp_path: Path) -> None:
    (tmp_path / "addresses.json").write_text(json.dumps({"pid": os.getpid(), "api": "here:1"}))
    told = line(interrex("bot", "list", "--data", tmp_path, INTERREX_API_ADDRESS="127.0.0.1:1"), 3)
    assert "127.0.0.1:1" in told
    assert "INTERREX_API_ADDRESS says so" in told


def test_links_lead_to_no_dashboard_but_that_of_the_arena_that_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = {"pid": os.getpid(), "api": "here:1", "dashboard": "http://here:2"}
    (tmp_path / "addresses.json").write_text(json.dumps(published))
    monkeypatch.setenv("INTERREX_API_ADDRESS", "")
    assert dashboard_address(tmp_path) == "http://here:2"
    monkeypatch.setenv("INTERREX_API_ADDRESS", "there:1")
    assert dashboard_address(tmp_path) == ""


def test_an_arena_that_restarts_its_api_is_not_to_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.channel.READY_SECONDS", 0.5)
    published = {"pid": os.getpid(), "api": "127.0.0.1:1"}
    (tmp_path / "addresses.json").write_text(json.dumps(published))
    told = line(interrex("bot", "list", "--data", tmp_path), 3)
    assert "wait a moment" in told
    assert str(tmp_path / "logs" / "api.log") in told
    assert "interrex up" not in told


def _junk(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 20)


def _of_the_future(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    database.close()


@pytest.mark.parametrize("make", [_junk, _of_the_future])
@pytest.mark.parametrize("words", [("up",), ("user", "create", "ada")])
def test_a_file_that_is_no_database_is_named(
    tmp_path: Path, make: Callable[[Path], None], words: tuple[str, ...]
) -> None:
    make(tmp_path / "interrex.db")
    told = line(interrex(*words, "--data", tmp_path), 2)
    assert told.startswith(f"error: {tmp_path / 'interrex.db'}: expected a database")
    assert "--data" in told
    assert not (tmp_path / "profile.json").exists()


@pytest.mark.parametrize("name", ["lock", "run-dir", "dashboard-port", "addresses.json", "logs"])
def test_what_stands_in_the_way_of_up_is_named(tmp_path: Path, name: str) -> None:
    if name == "logs":
        _junk(tmp_path / name)
    else:
        (tmp_path / name / "x").mkdir(parents=True)
    assert f"{tmp_path / name} cannot be used: " in line(interrex("up", "--data", tmp_path), 1)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("ladder", "show", "\udcff"), 2, "expected text in UTF-8"),
        (("ladder", "create", "x", "--game", "\udcff"), 2, "expected text in UTF-8"),
        (("ladder", "list", "--data", HUGE), 1, "File name too long"),
        (("replay", "export", "x", "-o", HUGE), 4, "interrex replay list"),
        (("ladder", "list", "--data", CONTROL), 3, "start it with"),
        (("ladder", "create", "x", "--option", HUGE), 2, "write it as NAME=VALUE"),
    ],
)
def test_what_no_call_can_carry_is_one_printable_line(
    run: Command, words: tuple[str, ...], code: int, told: str
) -> None:
    said = line(run(*words), code)
    assert told in said
    assert len(said) < 1600


@pytest.mark.parametrize("port", ["9" * 5000, "٣٣", "0", "-1"])
def test_a_port_that_is_none_is_told_by_its_variable(tmp_path: Path, port: str) -> None:
    told = line(interrex("up", "--data", tmp_path, INTERREX_DASHBOARD_PORT=port), 2)
    assert told.startswith("error: INTERREX_DASHBOARD_PORT: expected a port")


def test_notes_that_an_earlier_up_left_in_a_mess_are_no_matter(tmp_path: Path) -> None:
    for name in (PORT_NOTE, RUN_DIR_NOTE):
        _junk(tmp_path / name)
    settings = Settings.from_environment({"INTERREX_DATA": str(tmp_path)})
    assert 1 <= dashboard_port(tmp_path, settings) <= 65535
    (tmp_path / PORT_NOTE).write_text("9" * 5000)
    assert 1 <= dashboard_port(tmp_path, settings) <= 65535
    new_run_dir(tmp_path).rmdir()


def _interrex(words: str, redirection: str) -> tuple[int, str]:
    """A real process in a shell: its code and what it says on stderr."""
    script = f"{sys.executable} -m cli.main {words} {redirection}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", ["--help", "replay verify tests/vectors/claim/claim-0*"])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(words: str) -> None:
    assert _interrex(words, "| true") == (1, "")


def test_an_output_that_is_full_or_closed_is_no_traceback() -> None:
    code, told = _interrex("version", "> /dev/full")
    assert (code, told.count("\n")) == (1, 1)
    assert "No space left" in told
    assert _interrex("version", ">&-") == (0, "")


def test_a_width_of_nothing_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    code, told = _interrex("nonsense", "")
    assert (code, "No such command 'nonsense'" in told) == (2, True)


def test_names_of_replays_are_shown_harmless(tmp_path: Path) -> None:
    name = tmp_path / f"{CONTROL}.json"
    name.write_bytes(b"\xff")
    result = interrex("replay", "verify", name)
    assert result.exit_code == 1
    (told,) = result.stdout.splitlines()
    assert told.isprintable()
    assert "does not hold" in told


def test_an_empty_name_of_a_replay_says_what_is_expected() -> None:
    told = interrex("replay", "verify", "")
    assert told.exit_code == 2
    assert told.stderr.startswith("'': not checked: expected a file, or the id of a match: ")
