"""Challenges and final runs typed: against a real API server, played by hand."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from arena_service.doctor.examine import examine
from arena_service.scheduling.slots import tick
from arena_service.store.database import Database
from arena_service.store.ladders import all_ladders
from arena_service.store.states import now_utc
from arena_service.store.work_store import StoreWork
from cli.client import connect, new_key
from engine_service.client import LocalEngine
from interrex.arena.v1.ladder_service_pb2 import CreateLadderRequest, ListLaddersRequest
from tests.arena_service.api.played import Slot, pass_checks
from tests.arena_service.api.test_lost_answers import answers_lost
from tests.arena_service.api.wire import Wire
from tests.cli.conftest import Command


@pytest.fixture
def bots(run: Command, bot: Path, db: Database, data: Path) -> tuple[str, str]:
    """The active bot `mine` of ada, and eve's `theirs` as ada names it."""
    run("bot", "submit", bot, "--name", "mine", "--no-wait")
    eve = str(data / "eve.json")
    assert run("user", "create", "eve", profile=eve).exit_code == 0
    run("bot", "submit", bot, "--name", "theirs", "--no-wait", profile=eve)
    pass_checks(db)
    return "mine", "eve/theirs"


def play(db: Database) -> None:
    """Everything that waits, and what follows."""
    pass_checks(db)
    tick(db, now_utc())


def test_from_the_challenge_to_its_summary(
    run: Command, bots: tuple[str, str], db: Database, data: Path
) -> None:
    begun = run("challenge", "start", *bots, "--pairs", "2", "--no-wait", "--json")
    assert begun.exit_code == 0, begun.output
    name = json.loads(begun.stdout)["name"]
    assert f"{name} is running: 0 of 2 pairs played" in run("challenge", "show", name).stdout
    play(db)
    shown = run("challenge", "show", name).stdout
    assert f"{name} is complete: 2 of 2 pairs played" in shown
    assert "claim, 2 seats, unrated" in shown
    assert "Pairs of ada/mine by their points: 0 of 0, 0 of 1/2, 2 of 1" in shown
    told = json.loads(run("challenge", "show", name, "--json").stdout)
    assert told["pentanomial"] == [0, 0, 2, 0, 0]
    assert [side["standing"]["bot"] for side in told["sides"]] == ["mine", "theirs"]
    assert len(told["matches"]) == 4
    assert told["matches"][0]["id"] in shown
    assert name in run("challenge", "list").stdout
    assert name not in run("tournament", "list").stdout
    exported = data / "x.gz"
    assert run("tournament", "export", name, "-o", exported).exit_code == 0
    assert run("tournament", "audit", exported).exit_code == 0
    assert examine(db, LocalEngine(), now_utc(), lambda *_: None).is_clean


def test_it_is_followed_to_its_end(run: Command, bots: tuple[str, str], db: Database) -> None:
    done = threading.Event()

    def worker() -> None:
        work = StoreWork(db, 60.0)
        while not done.wait(0.05):
            while (assignment := work.lease("tests")) is not None:
                for match in assignment.matches:
                    Slot(work, assignment).play(match)
            tick(db, now_utc())

    thread = threading.Thread(target=worker)
    thread.start()
    followed = run("challenge", "start", *bots, "--pairs", "1")
    done.set()
    thread.join()
    assert followed.exit_code == 0, followed.output
    assert "is complete: 1 of 1 pairs played" in followed.stdout


def test_an_owner_decides_who_challenges(run: Command, bots: tuple[str, str], data: Path) -> None:
    eve = str(data / "eve.json")
    closed = run("bot", "challenges", "theirs", "--refuse", profile=eve)
    assert "nobody but you" in closed.stdout
    refused = run("challenge", "start", *bots)
    assert refused.exit_code == 4
    assert "eve lets nobody challenge theirs" in refused.stderr
    assert run("challenge", "start", *bots[::-1]).exit_code == 4  # not ada's bot
    assert run("bot", "challenges", "theirs", "--allow", profile=eve).exit_code == 0
    assert run("challenge", "start", *bots, "--no-wait").exit_code == 0


def test_a_final_run_rests_its_ladder(
    run: Command, bot: Path, bots: tuple[str, str], db: Database, data: Path
) -> None:
    run("ladder", "create", "daily")
    assert run("ladder", "final", "daily").exit_code == 4
    run("ladder", "enter", "daily", "mine")
    run("ladder", "enter", "daily", "theirs", profile=str(data / "eve.json"))
    assert run("ladder", "final", "daily", profile=str(data / "eve.json")).exit_code == 4
    begun = run("ladder", "final", "daily", "--budget", "4", "--steps", "2")
    assert "daily-final-1 runs with 2 bots" in begun.stdout, begun.output
    assert "in its final run" in run("ladder", "show", "daily").stdout
    assert "in its final run" in run("ladder", "enter", "daily", "mine").stderr
    (bot / "more.txt").write_text("more")
    newer = run("bot", "submit", bot, "--name", "mine", "--no-wait")
    assert "it goes on with the version it began with" in newer.stdout
    play(db)
    play(db)
    shown = run("tournament", "show", "daily-final-1").stdout
    assert "daily-final-1 is complete: 4 of 4 pairs played" in shown
    assert "worst rank" in shown
    exported = data / "x.gz"
    assert run("tournament", "export", "daily-final-1", "-o", exported).exit_code == 0
    assert run("tournament", "audit", exported).exit_code == 0
    assert examine(db, LocalEngine(), now_utc(), lambda *_: None).is_clean


def test_a_lost_answer_is_asked_for_again(
    run: Command, bot: Path, db: Database, data: Path
) -> None:
    path = data / "addresses.json"
    wire = Wire(json.loads(path.read_text())["api"])
    path.write_text(json.dumps({"api": wire.address}))
    with connect(data) as arena:
        assert not arena.ladders.ListLadders(ListLaddersRequest()).ladders
        with answers_lost(wire, lambda: all_ladders(db)):
            request = CreateLadderRequest(name="daily", game="claim", request_key=new_key())
            made = arena.ladders.CreateLadder(request).ladder
    assert [each.id for each in all_ladders(db)] == [made.id]
    wire.close()
