"""A tournament of real bots on a whole arena, typed as an organiser would."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from arena_service.store.database import open_database
from arena_service.store.tables import Entrant, Match, MatchSeat, Pair
from cli.commands import app
from engine_service.core.seeds import bot_seed, commitment, deal_seed, entrants_digest
from workers.lifetime import die_with_parent

ROOT = Path(__file__).parents[2]
BASELINES = ROOT / "bots" / "baselines"
BOTS = ("random", "first-legal", "greedy")
PAIRS = 2
COMMAND = [sys.executable, "-m", "cli.main"]
START_SECONDS = 120.0


def told(data: Path, *words: str) -> str:
    """The output of a command that succeeds."""
    done = CliRunner(env={"INTERREX_DATA": str(data)}).invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def read(data: Path, *words: str) -> Any:
    """The JSON document of a command."""
    return json.loads(told(data, *words, "--json"))


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """The data folder of an arena that runs."""
    folder = tmp_path / "arena"
    with (tmp_path / "up.log").open("wb") as log:
        command = [*COMMAND, "up", "--data", str(folder)]
        arena = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while not (folder / "addresses.json").exists():
                assert arena.poll() is None, (tmp_path / "up.log").read_text()
                assert time.monotonic() < deadline, (tmp_path / "up.log").read_text()
                time.sleep(0.1)
            yield folder
        finally:
            arena.send_signal(signal.SIGTERM)
            arena.wait(60)


@pytest.mark.timeout(400)
def test_three_bots_play_a_tournament_that_everybody_can_check(data: Path) -> None:
    told(data, "user", "create", "ada")
    for bot in BOTS:
        told(data, "bot", "submit", str(BASELINES / bot.replace("-", "_")))
    made = read(data, "tournament", "create", "cup", "--pairs", str(PAIRS))
    for bot in BOTS:
        assert read(data, "tournament", "enter", "cup", bot)["version"] == 1
    started = read(data, "tournament", "start", "cup")
    assert (started["state"], started["key"]) == ("running", "")
    watched = read(data, "tournament", "watch", "cup")
    tournament, standings = watched["tournament"], watched["standings"]
    assert tournament["state"] == "complete"
    key = bytes.fromhex(tournament["key"])
    assert hashlib.sha256(key).hexdigest() == made["commitment"] == commitment(key)
    assert sorted(row["bot"] for row in standings) == sorted(BOTS)
    assert standings[0]["bot"] == "greedy"
    for row in standings:
        assert (row["pairs"], row["faults"]) == (2 * PAIRS, 0)
        assert row["wins"] + row["draws"] + row["losses"] == 4 * PAIRS
        assert 0 <= row["credit_low"] <= row["credit"] <= row["credit_high"] <= 1
        assert "rating" in row
    assert "cup is complete: 6 of 6 pairs played" in told(data, "tournament", "show", "cup")
    _check_seeds(data, tournament["event"], tournament["entrants_digest"], key)
    _check_replays(data)


def _check_seeds(data: Path, event: str, digest: str, key: bytes) -> None:
    """Everything that was drawn follows from the key and the entrants."""
    db = open_database(f"sqlite:///{data / 'interrex.db'}")
    with db.read() as session:
        entrants = list(session.scalars(select(Entrant).where(Entrant.event == event)))
        assert entrants_digest((each.bot_id, each.sha256) for each in entrants) == digest
        rows = session.execute(
            select(Match, MatchSeat, Pair)
            .join(MatchSeat, MatchSeat.match == Match.id)
            .join(Pair, Pair.id == Match.pair)
            .where(Match.event == event)
        ).all()
    assert len(rows) == 3 * PAIRS * 2 * 2
    for match, seat, pair in rows:
        assert match.seed == pair.seed == deal_seed(key, event, digest, pair.number).hex()
        expected = bot_seed(key, event, digest, pair.number, match.leg, seat.seat)
        assert seat.bot_seed == expected
    seated: dict[str, set[str]] = {}
    for match, seat, _ in rows:
        seated.setdefault(match.id, set()).add(seat.bot_version)
    everybody = [each.bot_version for each in entrants]
    assert set(map(frozenset, seated.values())) == set(map(frozenset, combinations(everybody, 2)))
    db.close()


def _check_replays(data: Path) -> None:
    matches = read(data, "replay", "list", "--tournament", "cup", "--count", "50")
    assert len(matches) == 3 * PAIRS * 2
    assert {match["ending"] for match in matches} == {"completed"}
    told(data, "replay", "verify", *(match["id"] for match in matches))
