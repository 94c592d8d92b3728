"""Tokens of workers, and what a worker is told that cannot start."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from arena_service.store import worker_tokens
from arena_service.store.database import Database
from cli import worker
from cli.supervisor import SupervisorError
from tests.cli.conftest import Command


@pytest.fixture
def api(data: Path) -> str:
    return str(json.loads((data / "addresses.json").read_text())["api"])


def test_a_token_is_shown_once_and_stored_hashed(run: Command, db: Database) -> None:
    shown = run("worker", "token", "create", "far").output.strip()
    found = worker_tokens.by_token(db, shown)
    assert found is not None
    assert found.name == "far"
    assert shown not in run("worker", "token", "list").output
    assert shown.encode() not in Path(db.file).read_bytes()


def test_a_token_is_kept_in_a_private_file(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "far.token"
    assert "far may work" in run("worker", "token", "create", "far", "--file", file).output
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("worker", "token", "create", "near", "--file", file).exit_code == 4


def test_workers_are_listed_and_revoked(run: Command) -> None:
    for name in ("near", "far"):
        run("worker", "token", "create", name)
    listed = json.loads(run("worker", "token", "list", "--json").output)
    assert [each["name"] for each in listed] == ["far", "near"]
    assert run("worker", "token", "revoke", "near").exit_code == 0
    assert "near" not in run("worker", "token", "list").output
    assert run("worker", "token", "revoke", "near").exit_code == 4


@pytest.mark.parametrize("name", ["far", "A b", ""])
def test_a_name_is_refused_that_is_taken_or_none(run: Command, name: str) -> None:
    run("worker", "token", "create", "far")
    result = run("worker", "token", "create", name)
    assert result.exit_code == 4
    assert len(result.stderr.splitlines()) == 1


def test_an_unknown_token_is_told_before_anything_starts(
    run: Command, api: str, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("iw_" + "x" * 40)
    result = run("worker", "start", "--arena", api, "--token-file", file)
    assert result.exit_code == 4
    assert "interrex worker token create" in result.stderr


@pytest.mark.parametrize(
    ("meanwhile", "code", "told"),
    [
        ("nothing", 1, "error: slot-1 ended with code 7"),
        ("revoked", 4, "interrex worker token create"),
        ("away", 1, "error: slot-1 ended with code 7"),
    ],
)
def test_a_worker_that_gives_up_says_why(
    run: Command,
    api: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: str,
    code: int,
    told: str,
) -> None:
    file = tmp_path / "token"
    run("worker", "token", "create", "far", "--file", file)
    greet = worker._greet

    def give_up(*_: object) -> None:
        if meanwhile == "revoked":
            run("worker", "token", "revoke", "far")
        if meanwhile == "away":
            monkeypatch.setattr(worker, "_greet", lambda _, token: greet("127.0.0.1:1", token))
        raise SupervisorError("slot-1 ended with code 7")

    monkeypatch.setattr(worker, "_serve", give_up)
    words = ("worker", "start", "--arena", api, "--token-file", file, "--data", tmp_path / "far")
    result = run(*words)
    assert result.exit_code == code
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", [None, "", "two words", "x" * 300])
def test_a_file_without_a_token_is_named(
    run: Command, api: str, tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "token"
    if text is not None:
        file.write_text(text)
    result = run("worker", "start", "--arena", api, "--token-file", file)
    assert result.exit_code == 2
    assert str(file) in result.stderr


def test_a_wrong_address_is_named(run: Command, tmp_path: Path) -> None:
    run("worker", "token", "create", "far", "--file", tmp_path / "token")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nowhere = f"127.0.0.1:{taken.getsockname()[1]}"
    result = run("worker", "start", "--arena", nowhere, "--token-file", tmp_path / "token")
    assert result.exit_code == 3
    assert nowhere in result.stderr
