"""Every kind of event that can end is exported and holds: formats, games, seats, early ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.ratings.sprt import Sprt
from arena_service.scheduling import departures
from arena_service.scheduling import tournaments as schedule
from arena_service.store import tournaments
from arena_service.store.database import Database
from arena_service.store.tables import Annulment, Bot
from tests.arena_service.audit import events
from tests.arena_service.audit.events import Lines

KINDS: dict[str, dict[str, Any]] = {
    "swiss with byes": {"entries": 5, "format": "swiss", "rounds": 3},
    "gauntlet": {"entries": 4, "format": "gauntlet", "challengers": 1, "pairs": 2},
    "double elimination": {"entries": 5, "format": "double_elimination"},
    "a test": {"entries": 2, "format": "test", "pairs": 3},
    "a test with a rule": {
        "entries": 2,
        "format": "test",
        "pairs": 40,
        "sprt": Sprt(0, 300, 0.2, 0.2),
    },
    "series of many pairs": {"entries": 2, "pairs": 10},
    "three seats": {"entries": 4, "game": "king_is_dead", "seats": 3},
    "teams": {"entries": 5, "game": "king_is_dead", "seats": 4},
    "hidden leaders": {"entries": 2, "game": "hidden_leaders_duel"},
    "nobody": {"entries": 0},
    "one": {"entries": 1},
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("kind", KINDS)
def test_it_holds(database: Database, tmp_path: Path, kind: str) -> None:
    events.tournament(database, **KINDS[kind])
    assert clean(events.export_tournament(database, "cup", tmp_path / "cup.gz"))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_test_with_a_rule_that_is_extended_plays_what_was_added(
    database: Database, tmp_path: Path
) -> None:
    undecided = {"pairs": 3, "sprt": Sprt(0, 5, 0.01, 0.01)}
    cup = events.started_tournament(database, **KINDS["a test with a rule"] | undecided)
    schedule.extend(database, "cup", events.NOON, pairs=4, rounds=0)
    events.play_to_the_end(database, cup)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    assert [line["pairs"] for line in events.read(path) if line["kind"] == "round"] == [3, 4]
    assert clean(path)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_test_with_a_credit_that_no_match_gives_is_told(
    database: Database, tmp_path: Path
) -> None:
    events.tournament(database, **KINDS["a test with a rule"])
    lines = events.read(events.export_tournament(database, "cup", tmp_path / "cup.gz"))
    match = next(line for line in lines if line["kind"] == "match")
    match["result"]["credits"][0] += 0.01
    found = events.problems(events.look(events.write(tmp_path / "changed.gz", lines)))
    assert {line.partition(":")[0] for line in found} >= {"credits", "file"}


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_it_holds_on_postgresql(database: Database, tmp_path: Path) -> None:
    events.tournament(database, entries=3, format="swiss")
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    assert clean(path)
    again = events.export_tournament(database, "cup", tmp_path / "again.gz")
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("started", [True, False])
def test_a_cancelled_one_holds(database: Database, tmp_path: Path, started: bool) -> None:
    if started:
        events.started_tournament(database, entries=3)
        events.play(database, events.NOON, at_most=3)
    else:
        owner, _ = events.owner_and_bots(database, "claim", 0)
        tournaments.create_tournament(database, owner, "cup", "claim", {})
    schedule.cancel(database, "cup", events.NOON)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    assert clean(path)
    matches = [line for line in events.read(path) if line["kind"] == "match"]
    assert [match["result"] is None for match in matches] == started * ([False] * 3 + [True] * 3)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_annulled_result_counts_for_nobody(database: Database, tmp_path: Path) -> None:
    events.tournament(database)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    lines = events.read(path)
    match = next(line for line in lines if line["kind"] == "match" and line["pair"] == 5)
    with database.write() as session:
        by = tournaments.show(database, "cup").owner_id
        session.add(Annulment(match=match["id"], by=by, reason="x", created_at=events.AFTER))
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    report = events.look(path)
    assert events.problems(report) == []
    assert [(odd.kind, match["id"] in odd.about) for odd in report.oddities] == [
        ("times", True),
        ("void results", True),
    ]
    assert won(events.read(path)) < won(lines)


def won(lines: Lines) -> int:
    return sum(line["wins"] for line in lines if line["kind"] == "standing")


def clean(path: Path) -> bool:
    report = events.look(path)
    assert events.problems(report) == []
    return report.oddities == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("proof", "says", "kind", "change"),
    [
        ("pairings", "byes of nobody, drawn are", "round", {"byes": []}),
        ("pairings", "drawn", "round", {"pairs": 3}),
        ("file", "is not entered and had a bye", "round", {"byes": ["x"]}),
        ("inputs", "not numbered from 1", "entrant", {"seed": 9}),
        ("terms", "is a challenger, or is none", "entrant", {"challenger": True}),
        ("table", "with 7 points", "place", {"points": 7}),
    ],
)
def test_rounds_that_were_changed_are_named(
    database: Database, tmp_path: Path, proof: str, says: str, kind: str, change: dict[str, Any]
) -> None:
    events.tournament(database, entries=3, format="swiss", rounds=2)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    lines = events.read(path)
    next(line for line in lines if line["kind"] == kind).update(change)
    found = events.problems(events.look(events.write(path, lines)))
    assert any(line.startswith(f"{proof}: ") and says in line for line in found), found


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_missing_last_round_is_named(database: Database, tmp_path: Path) -> None:
    events.tournament(database, entries=4, format="swiss", rounds=2)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    lines = events.read(path)
    last = {line["number"] for line in lines if line["kind"] == "pair" and line["round"] == 2}
    kept = [
        line
        for line in lines
        if not (line["kind"] == "round" and line["number"] == 2)
        and not (line["kind"] == "pair" and line["number"] in last)
        and not (line["kind"] == "match" and line["pair"] in last)
    ]
    found = events.problems(events.look(events.write(path, kept)))
    assert any("pairings: " in line and "one more round is drawn" in line for line in found), found


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("leave", [departures.withdraw, departures.disqualify])
@pytest.mark.parametrize("format", ["round_robin", "swiss"])
def test_one_that_somebody_left_holds(
    database: Database, tmp_path: Path, format: str, leave: Any
) -> None:
    cup = events.started_tournament(database, entries=4, format=format)
    events.play(database, events.NOON, at_most=3)
    with database.read() as session:
        bot = session.scalars(select(Bot).where(col(Bot.name) == "bot-1")).one()
    leave(database, cup, bot.id, bot.owner, events.NOON, "broke the rules")
    events.play_to_the_end(database, cup)
    path = events.export_tournament(database, cup, tmp_path / "cup.gz")
    assert clean(path)
    lines = events.read(path)
    assert [line["reason"] for line in lines if line["kind"] == "departure"] == ["broke the rules"]
    kept = [line for line in lines if line["kind"] != "departure"]
    assert events.problems(events.look(events.write(path, kept)))
