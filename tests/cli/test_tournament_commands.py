"""Tournaments typed: against a real API server, played by hand."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena_service.doctor.examine import examine
from arena_service.scheduling.slots import tick
from arena_service.store import deliveries
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from arena_service.webhooks.settings import WebhookSettings
from engine_service.client import LocalEngine
from tests.arena_service.api.played import lease, pass_checks
from tests.cli.conftest import Command
from workers.courier import Courier


@pytest.fixture
def cup(run: Command, bot: Path) -> str:
    """A tournament with two entered bots that are still checked."""
    made = run("tournament", "create", "cup", "--pairs", "1", "--option", "blind_peek=true")
    assert made.exit_code == 0, made.output
    assert "interrex tournament enter cup BOT" in made.output
    assert "commitment " in made.output
    for name in ("one", "two"):
        assert run("bot", "submit", bot, "--name", name, "--no-wait").exit_code == 0
        assert "if its check is passed" in run("tournament", "enter", "cup", name).output
    return "cup"


def test_from_its_entries_to_its_key(run: Command, cup: str, db: Database) -> None:
    assert "cup is open with 2 bots" in run("tournament", "show", cup).output
    pass_checks(db)
    assert "one version 1 plays in cup" in run("tournament", "enter", cup, "one").output
    assert "runs with 2 bots" in run("tournament", "start", cup).output
    slot = lease(db)
    assert "cup is running: 0 of 1 pairs played" in run("tournament", "show", cup).output
    for match in slot.assignment.matches:
        slot.play(match)
    tick(db, now_utc())
    watched = run("tournament", "watch", cup)
    assert watched.exit_code == 0, watched.output
    assert "cup is complete: 1 of 1 pairs played" in watched.stdout
    assert "ada/one" in watched.stdout
    assert "SHA-256" in watched.stdout
    assert "What the seats are worth" in watched.stdout
    shown = json.loads(run("tournament", "show", cup, "--json").stdout)
    tournament = shown["tournament"]
    key = bytes.fromhex(tournament["key"])
    assert hashlib.sha256(key).hexdigest() == tournament["commitment"]
    assert json.loads(tournament["options_json"]) == {"blind_peek": True}
    assert shown["progress"]["matches_done"] == 2
    assert {row["bot"] for row in shown["standings"]} == {"one", "two"}
    assert sum(seat["credit"] for seat in shown["seats"]) == pytest.approx(1.0)
    assert len(shown["seats"]) == 2
    (listed,) = json.loads(run("tournament", "list", "--json").stdout)
    assert listed == tournament
    assert "complete" in run("tournament", "list").output
    played = json.loads(run("replay", "list", "--tournament", cup, "--json").stdout)
    assert [match["leg"] for match in played] == [1, 0]


def test_bots_leave_and_a_tournament_is_cancelled(run: Command, cup: str) -> None:
    assert run("tournament", "leave", cup, "two").exit_code == 0
    assert run("tournament", "leave", cup, "two").exit_code == 4
    assert "cup is cancelled" in run("tournament", "cancel", cup).output
    assert "cup is cancelled" in run("tournament", "show", cup).output
    refused = run("tournament", "start", cup)
    assert refused.exit_code == 4
    assert len(refused.stderr.splitlines()) == 1


def test_without_bots_it_is_complete_at_once(run: Command, bot: Path) -> None:
    assert "No tournaments yet" in run("tournament", "list").output
    assert run("tournament", "create", "cup").exit_code == 0
    assert "Nobody is entered" in run("tournament", "show", "cup").output
    assert "complete: 0 bots" in run("tournament", "start", "cup").output
    told = run("tournament", "watch", "cup")
    assert "cup is complete: 0 bots, no pair was planned" in told.stdout
    assert "nothing to play" in told.stderr
    assert "0/" not in told.output
    watched = json.loads(run("tournament", "watch", "cup", "--json").stdout)
    assert (watched["tournament"]["state"], watched["standings"]) == ("complete", [])


def test_the_owner_sees_when_a_webhook_is_tried_next(
    run: Command, bot: Path, db: Database, data: Path
) -> None:
    run("tournament", "create", "cup", "--webhook", "http://127.0.0.1:9/")
    run("tournament", "start", "cup")
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    deliveries.announce(db, noon, "")
    assert Courier(WebhookSettings(private=False, dashboard="")).deliver(db, noon)
    told = "waiting after 1 attempt, the next one at 2026-05-04 12:00:10 UTC; the last one: "
    assert told + "not sent: 127.0.0.1 leads into" in run("tournament", "show", "cup").stdout
    eve = str(data / "eve.json")
    assert run("user", "create", "eve", profile=eve).exit_code == 0
    assert "webhook" not in run("tournament", "show", "cup", profile=eve).stdout


def test_clocks_are_chosen_and_shown(run: Command, bot: Path) -> None:
    words = ("--start-cpu-ms", "4000", "--move-cpu-ms", "50", "--bank-cpu-ms", "500")
    limits = {"start_cpu_ms": 4000, "move_cpu_ms": 50, "bank_cpu_ms": 500}
    for kind in ("tournament", "ladder"):
        made = json.loads(run(kind, "create", "fast", *words, "--json").stdout)
        assert made["limits"] == limits


@pytest.mark.parametrize("kind", ["tournament", "ladder"])
@pytest.mark.parametrize(
    ("option", "code", "told"),
    [
        ("blind_peek", 2, "NAME=VALUE"),
        ("=1", 2, "NAME=VALUE"),
        ("blind_peek=maybe", 4, "blind_peek"),
        ("nothing=1", 4, "nothing"),
    ],
)
def test_a_faulty_option_is_named(
    run: Command, bot: Path, kind: str, option: str, code: int, told: str
) -> None:
    refused = run(kind, "create", "x", "--option", option)
    assert refused.exit_code == code
    assert told in refused.stderr
    twice = run(kind, "create", "x", "--option", "blind_peek=true", "--option", "blind_peek=true")
    assert twice.exit_code == 2


@pytest.mark.parametrize("kind", ["tournament", "ladder"])
def test_no_pairs_are_refused(run: Command, bot: Path, kind: str) -> None:
    refused = run(kind, "create", "x", "--pairs", "0")
    assert refused.exit_code == 2
    assert "--pairs" in refused.stderr
    run(kind, "create", "x")
    (made,) = json.loads(run(kind, "list", "--json").stdout)
    assert 5 in (made.get("pairs"), made.get("pairs_per_slot"))


def test_a_swiss_tournament_shows_its_rounds(run: Command, bot: Path, db: Database) -> None:
    made = run(
        "tournament", "create", "swiss", "--format", "swiss", "--rounds", "2", "--pairs", "1"
    )
    assert made.exit_code == 0, made.output
    for name in ("one", "two", "three"):
        run("bot", "submit", bot, "--name", name, "--no-wait")
        run("tournament", "enter", "swiss", name)
    pass_checks(db)
    run("tournament", "start", "swiss")
    assert "resume swiss" in run("tournament", "pause", "swiss").output
    assert "swiss is paused" in run("tournament", "show", "swiss").output
    assert "running again" in run("tournament", "resume", "swiss").output
    assert "by 1 round\n" in run("tournament", "extend", "swiss", "--rounds", "1").output
    assert run("tournament", "extend", "swiss", "--pairs", "1").exit_code == 4
    slot = lease(db)
    for match in slot.assignment.matches:
        slot.play(match)
    tick(db, now_utc())
    shown = run("tournament", "show", "swiss").stdout
    assert "Buchholz" in shown
    assert "bye" in shown
    course = json.loads(run("tournament", "show", "swiss", "--json").stdout)["course"]
    assert [round["closed"] for round in course["rounds"]] == [True, False]
    (encounter,) = course["rounds"][0]["encounters"]
    assert (encounter["pairs_done"], encounter["pairs_planned"]) == (1, 1)
    assert sum(encounter["points"]) == 1.0
    sitting = course["rounds"][1]["encounters"][0]["players"][0]
    leaver = next(each["bot"] for each in course["entrants"] if each["version_id"] == sitting)
    assert "its results stay" in run("tournament", "withdraw", "swiss", leaver).output
    assert run("tournament", "withdraw", "swiss", leaver).exit_code == 4
    words = ("disqualify", "swiss", f"ada/{leaver}", "--reason", "it phoned home")
    refused = run("tournament", *words[:-1], "evil\x1b[31m")
    assert refused.exit_code == 4
    assert "--reason: expected at most 500 printable characters" in refused.stderr
    assert "counts for nobody" in run("tournament", *words).output
    shown = run("tournament", "show", "swiss").stdout
    assert f"ada/{leaver} 1 is disqualified: it phoned home" in shown
    tick(db, now_utc())
    assert examine(db, LocalEngine(), now_utc(), lambda done, total: None).is_clean


def test_two_versions_of_a_bot_are_tested(run: Command, bot: Path, db: Database) -> None:
    run("bot", "submit", bot, "--name", "one", "--no-wait")
    (bot / "notes.txt").write_text("another version")
    run("bot", "submit", bot, "--name", "one", "--no-wait")
    pass_checks(db)
    words = ("--format", "test", "--pairs", "16", "--sprt", "0", "10")
    made = run("tournament", "create", "better", *words)
    assert made.exit_code == 0, made.output
    for number in ("2", "1"):
        entered = run("tournament", "enter", "better", "one", "--version", number)
        assert f"one version {number} plays" in entered.output
    assert run("tournament", "enter", "better", "one", "--version", "3").exit_code == 4
    assert "runs with 2 bots" in run("tournament", "start", "better").output
    shown = run("tournament", "show", "better").stdout
    assert "whether ada/one 2 is stronger than ada/one 1 is open" in shown
    assert run("tournament", "create", "x", "--format", "test", "--sprt", "5", "5").exit_code == 4


def test_challengers_and_seeding_are_named(run: Command, bot: Path, db: Database) -> None:
    run("bot", "submit", bot, "--name", "bold", "--no-wait")
    run("ladder", "create", "daily")
    words = ("--format", "gauntlet", "--challenger", "ada/bold")
    assert run("tournament", "create", "run", *words).exit_code == 0
    assert run("tournament", "create", "x", "--format", "gauntlet").exit_code == 4
    words = ("--format", "double-elimination", "--seeding", "daily")
    assert run("tournament", "create", "cup", *words).exit_code == 0
    assert run("tournament", "create", "x", *words[:-1], "nothing").exit_code == 4


def test_who_watches_before_the_start_is_told_what_comes_next(
    run: Command, bot: Path, data: Path
) -> None:
    run("tournament", "create", "cup")
    command = [sys.executable, "-m", "cli.main", "tournament", "watch", "cup", "--data", data]
    watching = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert watching.stderr is not None
    told = watching.stderr.readline()
    assert told.startswith("cup has not started; 0 bots are entered: enter bots with: ")
    assert told.endswith("start it with: interrex tournament start cup\n")
    run("tournament", "start", "cup")
    shown, _ = watching.communicate(timeout=60)
    assert "cup is complete: 0 bots, no pair was planned" in shown
