"""The main job as a newcomer runs it: everything real, nothing left behind."""

import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from math import comb
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.figures import signed
from arena_service.store import queries
from arena_service.store.database import Database, open_database
from arena_service.store.match_rows import MatchRow
from arena_service.store.match_search import MatchSearch, search
from arena_service.store.tables import Event, Ladder, Rating
from cli.showcase import SHOWCASES
from engine_service.catalogue import BUILT_IN
from engine_service.client import LocalEngine

ROOT = Path(__file__).parents[2]
OWN = [game.name for game in BUILT_IN]
PAIRS = 1
CLAIM = SHOWCASES[0]
BOTS = {bot for each in SHOWCASES for bot in each.bots}


def demo(data: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cli.main", "demo", "--pairs", str(PAIRS)]
    return subprocess.Popen(
        [*command, "--data", str(data), *options],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "160"},
        stdout=subprocess.PIPE,
        text=True,
    )


def run_once(data: Path, game: str) -> str:
    """What a demo of one game that ends by itself says; nothing of it runs on."""
    process = demo(data, "--once", "--game", game)
    told, _ = process.communicate(timeout=900)
    assert process.returncode == 0
    assert processes_naming(f"INTERREX_DATA={data}") == []
    return told


def run_until_interrupted(data: Path) -> str:
    """What a demo of all games says that serves until Ctrl-C, which ends it and all it started."""
    process = demo(data)
    assert process.stdout is not None
    told = ""
    for line in process.stdout:
        told += line
        if "Serving" in line:
            break
    assert len(processes_naming(f"INTERREX_DATA={data}")) > 4
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    process.stdout.close()
    assert processes_naming(f"INTERREX_DATA={data}") == []
    return told


def shown_ratings(told: str, ladder: str) -> list[str]:
    """The column of ratings of a ladder's table, sorted."""
    table = told.split(f"/ladders?ladder={ladder}\n")[1].split("A replay: ")[0]
    return sorted(re.findall(r"[+-]?\d+ ± \d+", table))


def fitted_ratings(db: Database, ladder: str) -> list[list[str]]:
    """What every slot was rated when it was complete, sorted."""
    chosen = (
        select(Rating)
        .join(Event, col(Event.id) == col(Rating.event))
        .join(Ladder, col(Ladder.id) == col(Event.ladder))
        .where(col(Ladder.name) == ladder)
    )
    found: dict[str, list[str]] = defaultdict(list)
    with db.read() as session:
        for row in session.scalars(chosen):
            found[row.event].append(f"{signed(row.value)} ± {row.error:.0f}")
    return [sorted(each) for each in found.values()]


def slots_of(matches: list[MatchRow], game: str) -> list[list[MatchRow]]:
    """The matches of every slot of a game's ladder."""
    found: dict[str, list[MatchRow]] = defaultdict(list)
    for match in matches:
        if match.game == game:
            found[match.event].append(match)
    return list(found.values())


def linked_matches(told: str) -> list[str]:
    """The ids of the replays that the demo names, one of each game."""
    found = re.findall(r"/match\?replay=([0-9a-f]+)", told)
    assert len(found) == len(SHOWCASES)
    return found


def processes_naming(text: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().decode(errors="replace")
            if text in environment and folder.name != str(os.getpid()):
                found.append((folder / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


@pytest.mark.timeout(2000)
def test_the_demo_plays_a_ladder_of_each_game_and_a_second_run_carries_on(tmp_path: Path) -> None:
    data = tmp_path / "arena"
    first = run_once(data, CLAIM.game)
    assert "king-demo" not in first
    second = run_until_interrupted(data)
    assert second.count("already there") == len(BOTS)
    for told, ladders in ((first, [CLAIM]), (second, SHOWCASES)):
        for each in ladders:
            standings = told.split(f"/ladders?ladder={each.ladder}\n")[1].split("A replay: ")[0]
            assert all(f"demo/{bot} " in standings for bot in each.bots)
    db = open_database(f"sqlite:///{data / 'interrex.db'}")
    matches = search(db, MatchSearch(), 1000)
    assert {match.ending for match in matches} <= {"completed", None}
    assert {match.game for match in matches} == {each.game for each in SHOWCASES} == set(OWN)
    for each in SHOWCASES:
        slots = slots_of(matches, each.game)
        assert {len(slot) for slot in slots} == {comb(len(each.bots), 2) * PAIRS * 2}
        # One of each run, and one more where the hour began meanwhile.
        runs = 1 + (each is CLAIM)
        assert sum(all(match.ending for match in slot) for slot in slots) >= runs
        assert shown_ratings(second, each.ladder) in fitted_ratings(db, each.ladder)
    for match in linked_matches(second):
        replay = queries.replay(db, match)
        assert replay is not None
        assert LocalEngine().verify(replay).ok
