"""docs/organising.md is walked to the letter, from the accounts to the published page."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.commands import app
from tests.kills.arena import wait_for
from workers.lifetime import die_with_parent

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "organising.md"
PORT = "50062"
INSTALL = "## Install"


@dataclass(frozen=True)
class Typed:
    """A line of the page: what stands before the command, and its words."""

    variables: dict[str, str]
    words: list[str]


def typed() -> Iterator[Typed]:
    """Every line of its blocks but those of the installation, in their order."""
    text = PAGE.read_text()
    before, _, after = text.partition(INSTALL)
    text = before + after.partition("\n## ")[2]
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            count = next(i for i, word in enumerate(words) if "=" not in word)
            variables = dict(word.split("=", 1) for word in words[:count])
            yield Typed(variables, words[count:])


@pytest.mark.timeout(900)
def test_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    started, said = None, ""
    try:
        for line in typed():
            command, *words = line.words
            if command == "export":
                monkeypatch.setenv("INTERREX_DATA", str(tmp_path / "arena"))
                assert words == ["INTERREX_DATA=$PWD/arena"]
            elif words[0] == "up":
                started = up(tmp_path, words)
            else:
                assert command == "interrex"
                done = CliRunner(env=line.variables).invoke(app, words)
                assert done.exit_code == 0, f"{words}: {done.output}"
                said += done.output
    finally:
        if started is not None:
            started.send_signal(signal.SIGTERM)
            started.wait(60)
    assert said.count("All proofs hold.") == 2
    page = (tmp_path / "web" / "index.html").read_text()
    assert "organiser/first-legal 1 was disqualified: the same bot as random" in page
    assert all(name in page for name in ("ann/ann-bot", "ben/greedy", "organiser/random"))
    assert (tmp_path / "finals.backup").stat().st_size > 0


def up(folder: Path, words: list[str]) -> subprocess.Popen[bytes]:
    """As the page says, at a port that is free here."""
    with socket.create_server(("", 0)) as probe:
        port = str(probe.getsockname()[1])
    words = [word.replace(PORT, port) for word in words]
    started = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "proto")))},
        preexec_fn=partial(die_with_parent, os.getpid()),
    )
    wait_for((folder / "arena" / "addresses.json").exists, "the arena to be up")
    return started
