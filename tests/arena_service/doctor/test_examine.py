"""A sound arena is found sound; whatever is broken on purpose is named."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.doctor.examine import CLAIMS, examine
from arena_service.doctor.report import SHOWN, Report
from arena_service.store.database import Database
from arena_service.store.tables import Match, Result
from engine_service.client import LocalEngine
from engine_service.core.replay import digest
from tests.arena_service.doctor.arena import NOON
from tests.arena_service.doctor.breaking import CHECKED, SLOT, ZEROS, Break
from tests.arena_service.doctor.breaks_of_plans import OF_PLANS
from tests.arena_service.doctor.breaks_of_play import OF_PLAY
from tests.arena_service.doctor.meddling import meddle

NOW = NOON + timedelta(hours=2)
BREAKS = [*OF_PLANS, *OF_PLAY]


def look(db: Database, now: datetime = NOW) -> Report:
    return examine(db, LocalEngine(), now, lambda done, total: None)


def problems(report: Report) -> list[tuple[str, str]]:
    return [(proof.name, text) for proof in report.proofs for _, text in proof.problems]


def test_a_sound_arena_is_clean(filled: Database) -> None:
    report = look(filled)
    assert problems(report) == []
    assert report.is_clean
    assert all(proof.examined for proof in report.proofs)
    assert [(odd.kind, odd.about) for odd in report.oddities] == [
        ("refused posts", "the lease is lost")
    ]
    assert json.dumps(report.to_plain())


@pytest.mark.parametrize("filled_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("case", BREAKS, ids=lambda case: f"{case.check}: {case.says}")
def test_what_is_broken_is_named(filled_url: str, filled: Database, case: Break) -> None:
    check_named(filled_url, filled, case)


@pytest.mark.parametrize("filled_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("case", {case.check: case for case in BREAKS}.values())
def test_each_check_works_on_postgresql(filled_url: str, filled: Database, case: Break) -> None:
    check_named(filled_url, filled, case)


def check_named(filled_url: str, filled: Database, case: Break) -> None:
    meddle(filled_url, case.sql)
    report = look(filled)
    assert not report.is_clean
    assert any(check == case.check and case.says in text for check, text in problems(report)), (
        problems(report)
    )


def test_a_replay_that_was_changed_does_not_hold(filled_url: str, filled: Database) -> None:
    with filled.write() as session:
        result = session.scalars(select(Result).where(col(Result.ending) == "completed")).first()
        assert result is not None
        replay = json.loads(result.replay)
        replay["plies"][3]["action"], match = replay["plies"][0]["action"], result.match
        result.replay = json.dumps(replay).encode()
    report = look(filled)
    assert [(about, text) for c in report.proofs for about, text in c.problems] == [
        (
            f"match {match}",
            "its replay does not hold: ply 3: illegal action "
            f"{replay['plies'][3]['action']!r} of seat {replay['plies'][3]['seat']}",
        )
    ]


def test_rules_that_no_engine_plays_are_odd_and_still_compared(
    filled_url: str, filled: Database
) -> None:
    """Only what the engine would have said is missing."""
    with filled.write() as session:
        for match in session.scalars(select(Match).where(col(Match.kind) == "check")):
            result = session.get_one(Result, match.id)
            replay = json.loads(result.replay) | {"rules_version": 99}
            replay["digest"] = digest(replay)
            match.rules_version = 99
            result.replay, result.digest = json.dumps(replay).encode(), replay["digest"]
    report = look(filled)
    assert report.is_clean
    assert ("replays not played again", "claim rules 99", "1 matches") in [
        (odd.kind, odd.about, odd.text) for odd in report.oddities
    ]
    meddle(filled_url, [f"UPDATE result SET digest = '{ZEROS}' WHERE match = {CHECKED}"])
    assert problems(look(filled)) == [
        ("replays", "digest in its replay is not as stored with the match")
    ]


@pytest.mark.parametrize("filled_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("bot_version", "games", "'['"),
        ("ladder", "options", "'{'"),
        ("ledger", "credits", "x'ff00'"),
        ("event", "created_at", "'soon'"),
        ("match", "created_at", "x'ff00'"),
        ("event", "key", "'text'"),
        ("result", "replay", "7"),
        ("artifact", "content", "'text'"),
        ("match", "leg", "'first'"),
        ("bot", "name", "x'ff00'"),
    ],
)
def test_what_sqlite_lets_in_is_named_and_all_else_left_out(
    filled_url: str, filled: Database, table: str, column: str, value: str
) -> None:
    one = f'(SELECT min(rowid) FROM "{table}")'
    meddle(filled_url, [f'UPDATE "{table}" SET {column} = {value} WHERE rowid = {one}'])
    report = look(filled)
    assert {name for name, _ in problems(report)} == {"values"}
    assert all(column in text for _, text in problems(report))
    assert [odd.kind for odd in report.oddities] == ["proofs left out"]


ODD = [
    (
        "open attempts",
        "its series is not leased so",
        NOW,
        "UPDATE attempt SET outcome = 'open' WHERE outcome = 'expired'",
    ),
    ("leases long over", "held by w", NOW + timedelta(hours=1), ""),
    (
        "failing series",
        "failed 7 times; last worker: the lease ran out",
        NOW,
        "UPDATE series SET failures = 7 WHERE failures = 1",
    ),
    (
        "events that do not end",
        "has nothing left to play since",
        NOW,
        f"UPDATE event SET state = 'running' WHERE id = {SLOT}",
    ),
    (
        "overdue slots",
        "daily: its slot is due since",
        NOW + timedelta(hours=2),
        "UPDATE event SET state = 'cancelled' WHERE state = 'running'",
    ),
    ("long checks", "version 1 of bot", NOW, "UPDATE bot_version SET state = 'checking'"),
]


@pytest.mark.parametrize(("kind", "says", "now", "sql"), ODD, ids=[odd[0] for odd in ODD])
def test_what_is_odd_is_named(
    filled_url: str, filled: Database, kind: str, says: str, now: datetime, sql: str
) -> None:
    meddle(filled_url, [sql] if sql else [])
    found = [odd.text for odd in look(filled, now).oddities if odd.kind == kind]
    assert any(says in text for text in found), look(filled, now).oddities


def test_of_many_problems_the_first_are_shown_and_all_are_counted(
    filled_url: str, filled: Database
) -> None:
    meddle(filled_url, ["UPDATE match_seat SET bot_seed = 'x'"])
    seeds = next(proof for proof in look(filled).proofs if proof.name == "seeds")
    assert len(seeds.problems) == SHOWN
    assert seeds.failed > SHOWN


def test_every_check_is_proven_to_see_something() -> None:
    assert {case.check for case in BREAKS} == set(CLAIMS)
