"""A whole arena watched from outside: its status, and a match's whole life in its logs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store.database import Database, open_database
from arena_service.store.states import VersionState
from arena_service.store.tables import (
    Attempt,
    BotVersion,
    Event,
    Match,
    MatchSeat,
    Pair,
    Process,
)
from bots.packing import pack
from cli.client import Arena, connect
from cli.user import ensure_profile
from interrex.arena.v1 import ladder_service_pb2 as ladders

ROOT = Path(__file__).parents[2]
INTERREX = [sys.executable, "-m", "cli.main"]
BOTS = ("random", "greedy")
KINDS = {"api", "control", "matches", "engine", "broker"}
Line = dict[str, Any]


@dataclass(frozen=True)
class Watched:
    """What was seen: the status of the living arena, and what it left behind."""

    status: Line
    stopped: subprocess.CompletedProcess[str]
    database: Database
    logs: Path
    token: str

    def lines(self) -> list[Line]:
        """Every structured line of every process, in the order of time."""
        texts = [path.read_text() for path in self.logs.glob("*.log")]
        found = [
            json.loads(line) for text in texts for line in text.splitlines() if line[:1] == "{"
        ]
        return sorted(found, key=lambda line: str(line["time"]))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """One slot of two bots, played; its worker, frozen and thawed; then an orderly end."""
    data = tmp_path_factory.mktemp("observed") / "arena"
    up = subprocess.Popen([*INTERREX, "up", "--slots", "1", "--data", str(data)], cwd=ROOT)
    try:
        wait_until(lambda: (data / "addresses.json").exists() or up.poll() is not None)
        ensure_profile(data, "ada")
        database = open_database(f"sqlite:///{data / 'interrex.db'}")
        with connect(data) as arena:
            play_a_slot(arena, database)
        status = json.loads(ask(data, "--json").stdout)
        for pid in engine_pids(data):
            os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: ask(data).returncode != 0)  # answers are kept for a moment
        stopped = ask(data)
        for pid in engine_pids(data):
            os.kill(pid, signal.SIGCONT)
    finally:
        up.send_signal(signal.SIGTERM)
        up.wait(60)
    token = json.loads((data / "profile.json").read_text())["token"]
    yield Watched(status, stopped, database, data / "logs", token)
    database.close()


def ask(data: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [*INTERREX, "status", "--data", str(data), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def play_a_slot(arena: Arena, database: Database) -> None:
    """Submit the bots; once they have passed their checks, play one slot to its end."""
    arena.ladders.CreateLadder(
        ladders.CreateLadderRequest(name="seen", game="claim", pairs_per_slot=1)
    )
    for bot in BOTS:
        arena.submit(pack(ROOT / "bots" / "baselines" / bot))
        arena.ladders.EnterLadder(ladders.EnterLadderRequest(ladder="seen", bot=bot))
    wait_until(lambda: checked(database))
    arena.ladders.RunLadderNow(ladders.RunLadderNowRequest(ladder="seen"))
    wait_until(lambda: completed(database))


def wait_until(holds: Any, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def checked(database: Database) -> bool:
    with database.read() as session:
        return set(session.scalars(select(col(BotVersion.state)))) == {VersionState.ACTIVE}


def completed(database: Database) -> bool:
    with database.read() as session:
        return (
            session.scalar(select(col(Event.completed_at)).where(col(Event.slot) == 1)) is not None
        )


def engine_pids(data: Path) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            mine = f"INTERREX_DATA={data}".encode() in (folder / "environ").read_bytes()
            engine = b"engine_service.server" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mine and engine:
            found.append(int(folder.name))
    return found


def test_the_status_of_an_arena_at_work(watched: Watched) -> None:
    rows = watched.status["processes"]
    assert {row["kind"] for row in rows} >= KINDS
    assert all(row["seen_seconds"] < 20 for row in rows)
    assert watched.status["queue"]["tick_seconds"] < 20
    assert watched.status["queue"]["matches_last_minute"] >= 2
    assert watched.status["problems"] == []


def test_an_engine_that_stands_still_is_told(watched: Watched) -> None:
    assert watched.stopped.returncode == 1
    assert watched.stopped.stdout.startswith("✗ the engine does not answer at ")


def test_nobody_claims_to_live_after_an_orderly_end(watched: Watched) -> None:
    with watched.database.read() as session:
        assert session.scalars(select(Process)).all() == []


def test_a_match_is_found_by_its_id_from_plan_to_result(watched: Watched) -> None:
    with watched.database.read() as session:
        statement = select(Match, Attempt).join(Attempt, col(Attempt.match) == col(Match.id))
        match, attempt = (
            session.execute(statement.where(col(Match.event).is_not(None))).first() or ()
        )
    lines = watched.lines()
    life = [line for line in lines if line.get("match_id") == match.id]
    assert {line["process"] for line in life} == {"matches", "engine"}
    assert [line["message"] for line in life if line["process"] == "matches"] == [
        "match begins",
        "attempt accepted",
    ]
    for line in life:
        assert (line["attempt_id"], line["series_id"]) == (attempt.id, match.series)
        assert line["event_id"] == match.event
    event = [line["message"] for line in lines if line.get("event_id") == match.event]
    assert event[:2] == ["entries closed", "event planned"]
    assert event[-1] == "event completed"


def test_every_call_is_a_line_with_its_caller(watched: Watched) -> None:
    calls = [line for line in watched.lines() if line["message"] == "call"]
    submitted = [line for line in calls if line["method"] == "BotService/SubmitBot"]
    assert len(submitted) == len(BOTS)
    assert {(line["process"], line["code"]) for line in submitted} == {("api", "OK")}
    assert all(line["ms"] > 0 and len(line["user_id"]) == 32 for line in submitted)


def test_every_process_logs_in_lines_of_one_shape(watched: Watched) -> None:
    lines = watched.lines()
    assert {"api", "engine", "matches", "control", "beat"} <= {line["process"] for line in lines}
    for line in lines:
        assert list(line)[:6] == ["time", "level", "process", "pid", "logger", "message"]


def test_no_line_tells_a_key_a_seed_or_a_token(watched: Watched) -> None:
    with watched.database.read() as session:
        secrets = {key.hex() for key in session.scalars(select(col(Event.key)))}
        for column in (Match.seed, Pair.seed, MatchSeat.bot_seed):
            secrets |= set(session.scalars(select(col(column))))
    secrets.add(watched.token)
    text = "".join(path.read_text() for path in watched.logs.glob("*.log"))
    assert len(secrets) > 8
    assert [secret for secret in secrets if secret in text] == []
