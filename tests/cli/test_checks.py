"""The check of a submission in a whole arena, and the same check at home."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena_service.api.bots import TRANSFERS_AT_ONCE
from cli.profile import STARTING

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "hostile_bots" / "protocol"
START_SECONDS = 90.0


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str


def interrex(*words: str | Path) -> Done:
    command = [sys.executable, "-m", "cli.main", *map(str, words)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def hostile(folder: Path, program: str) -> Path:
    """A folder to submit: one of the hostile bots, named as its program."""
    target = folder / program.replace("_", "-")
    target.mkdir()
    for name in ("talk.py", f"{program}.py"):
        shutil.copy(HOSTILE / name, target)
    manifest = f'name = "{target.name}"\ngames = ["claim"]\nrun = ["python3", "{program}.py"]\n'
    (target / "bot.toml").write_text(manifest)
    return target


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of an arena that runs, with an account; a command waited for its start."""
    data = tmp_path_factory.mktemp("checks") / "arena"
    up = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "up", "--data", str(data)],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "160"},
    )
    deadline = time.monotonic() + START_SECONDS
    while not (data / STARTING).exists():
        assert up.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    first = interrex("ladder", "list", "--data", data)
    assert (first.code, first.stderr.split(";")[0]) == (0, f"The arena on {data} is starting")
    assert not (data / STARTING).exists()
    assert interrex("user", "create", "ada", "--data", data).code == 0
    yield data
    up.send_signal(signal.SIGTERM)
    up.wait(60)


FAULTS = {
    "exits_at_start": ("no_contest at the start, seats 0 and 1", "exit code 1", "no bot today"),
    "spins_at_start": ("no_contest at the start, seats 0 and 1", "5000 ms of CPU time"),
    "illegal_card": ("illegal_action after ", "cannot play 'K1'"),
    "eats_memory": ("crash after ", "out of memory"),
}


@pytest.fixture(scope="module")
def submitted(arena: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Every faulty bot and the honest one, submitted side by side and followed to the verdict."""
    folder = tmp_path_factory.mktemp("bots")
    names = (*FAULTS, "honest")
    with ThreadPoolExecutor(TRANSFERS_AT_ONCE) as pool:
        done = pool.map(
            lambda name: interrex("bot", "submit", hostile(folder, name), "--data", arena), names
        )
        return dict(zip(names, done, strict=True))


def told(*words: str | Path) -> Any:
    done = interrex(*words, "--json")
    assert done.code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_bot_is_told_exactly_why_it_does_not_play(
    submitted: dict[str, Done], arena: Path, name: str
) -> None:
    done, bot = submitted[name], name.replace("_", "-")
    assert done.code == 1, done.stderr
    assert f"{bot} version 1 submitted" in done.stdout
    (line,) = done.stderr.strip().splitlines()
    assert f"{bot} version 1 is failed: claim: " in line
    for words in (*FAULTS[name], "interrex bot check DIR"):
        assert words in line
    log = told("bot", "log", bot, "--data", arena)
    assert log["version"]["state"] == "failed"
    assert log["version"]["reason"] in line
    (check,) = log["checks"]
    assert any(FAULTS[name][1] in kept["limit"] for kept in check["evidence"])


@pytest.mark.timeout(300)
def test_an_honest_bot_is_shown_what_it_used_and_may_play(
    submitted: dict[str, Done], arena: Path
) -> None:
    done = submitted["honest"]
    assert done.code == 0, done.stderr
    for words in ("start CPU", "memory", "CPU per ply", "completed", "honest version 1 is active"):
        assert words in done.stdout
    states = {each["bot"]: each["state"] for each in told("bot", "list", "--data", arena)}
    assert states["honest"] == "active"
    assert set(states.values()) == {"active", "failed"}
    (check,) = told("bot", "log", "honest", "--data", arena)["checks"]
    for kept in check["evidence"]:
        assert kept["start_cpu_ms"] > 0
        assert int(kept["peak_bytes"]) > 2**20


def test_the_log_shows_the_last_words_to_people(submitted: dict[str, Done], arena: Path) -> None:
    shown = interrex("bot", "log", "exits-at-start", "--data", arena).stdout
    assert "exits-at-start version 1 is failed" in shown
    assert "stderr  no bot today" in shown
    shown = interrex("bot", "log", "illegal-card", "--data", arena).stdout
    assert 'line    {"type": "action", "turn": 2, "action": "K1"}' in shown
    assert "replay  interrex replay export " in shown


def test_the_same_files_are_told_the_same_again(
    submitted: dict[str, Done], arena: Path, tmp_path: Path
) -> None:
    again = interrex("bot", "submit", hostile(tmp_path, "illegal_card"), "--data", arena)
    assert again.code == 1
    assert "already there" in again.stdout
    assert again.stderr == submitted["illegal_card"].stderr


def test_a_version_is_taken_out_and_comes_back(submitted: dict[str, Done], arena: Path) -> None:
    gone = interrex("bot", "disable", "honest", "--data", arena)
    assert gone.code == 0, gone.stderr
    assert "honest version 1 is disabled" in gone.stdout
    assert "no version plays now" in gone.stdout
    back = told("bot", "recheck", "honest", "--data", arena)
    assert (back["version"]["state"], len(back["checks"])) == ("active", 1)
    refused = interrex("bot", "recheck", "honest", "--data", arena)
    assert refused.code == 4
    assert "active already" in refused.stderr


def test_the_check_at_home_says_the_same(submitted: dict[str, Done], tmp_path: Path) -> None:
    done = interrex("bot", "check", hostile(tmp_path, "exits_at_start"))
    assert done.code == 1
    verdict = submitted["exits_at_start"].stderr.split(" is failed: ")[1]
    assert done.stderr.split(" become active: ")[1].strip() in verdict
    passed = told("bot", "check", ROOT / "bots" / "baselines" / "highest")
    assert (passed["bot"], passed["passed"], passed["reason"]) == ("highest", True, "")
    (check,) = passed["checks"]
    assert (check["match"]["ending"], len(check["evidence"])) == ("completed", 2)


def test_what_the_arena_would_not_take_is_told_at_home(tmp_path: Path) -> None:
    folder = hostile(tmp_path, "honest")
    (folder / "honest.py").unlink()
    done = interrex("bot", "check", folder)
    assert done.code == 1
    assert "PROGRAM_MISSING" in done.stderr
    assert len(done.stderr.splitlines()) == 1
