"""Exports of a ladder with more versions than meet in a slot: what it was matched by is proven."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import slots
from arena_service.store import bots, exports, ladders
from arena_service.store.database import open_database
from arena_service.store.tables import Bot
from bots.manifest import Manifest
from tests.arena_service.audit import events
from tests.arena_service.audit.events import NOON, Lines
from tests.arena_service.audit.test_verifier import verify

ENTRIES = 8
Exported = dict[int, Path]


@pytest.fixture(scope="module")
def exported(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """All slots of a ladder as 0, its second as 2; before the third there is a new version."""
    folder = tmp_path_factory.mktemp("ladder")
    shutil.copy(sqlite_template, folder / "arena.db")
    db = open_database(f"sqlite:///{folder / 'arena.db'}")
    made = events.ladder(db, slots_played=2, entries=ENTRIES, pairs=1)
    with db.read() as session:
        replaced, left = session.scalars(select(Bot).order_by(col(Bot.name)).limit(2))
    manifest = Manifest(replaced.name, ("claim",), ("python3", "main.py"), "json")
    bots.submit(db, replaced.owner, replaced.name, b"newer", manifest, ())
    ladders.leave(db, made, left.id)
    third = NOON + timedelta(hours=3)
    slots.tick(db, third)
    events.play(db, third)
    slots.complete_played(db, third)
    paths = {
        number: events.export(exports.of_ladder(db, made, number), folder / f"{number}.gz")
        for number in (0, 2)
    }
    db.close()
    return paths


def test_it_holds(exported: Exported) -> None:
    report = events.look(exported[0])
    assert events.problems(report) == []
    assert report.oddities == []
    entrants = [line for line in events.read(exported[0]) if line["kind"] == "entrant"]
    assert [each["pairs"] for each in entrants[:ENTRIES]] == [0] * ENTRIES
    assert all(each["rating"] is not None for each in entrants[ENTRIES : 2 * ENTRIES])
    assert [(e["pairs"], e["met"]) for e in entrants if e["version"] == 2] == [(0, [])]


def test_a_slot_alone_says_what_it_cannot_prove(exported: Exported) -> None:
    report = events.look(exported[2])
    assert events.problems(report) == []
    assert [odd.about for odd in report.oddities] == ["ratings, inputs of the first slot"]


def test_the_other_verifier_leaves_match_making_to_the_audit(exported: Exported) -> None:
    done = verify(*exported.values())
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.count("not derived here: who meets in slot ") == 3 + 1


def _entrant(slot: int, **values: Any) -> Callable[[Lines], None]:
    """Change an entrant of a slot who was rated before."""

    def change(lines: Lines) -> None:
        entered = _of_slot(lines, slot)
        next(e for e in entered if slot == 1 or e["rating"] is not None).update(values)

    return change


def _entrants(slot: int, **values: Any) -> Callable[[Lines], None]:
    """Change all entrants of a slot."""

    def change(lines: Lines) -> None:
        for each in _of_slot(lines, slot):
            each.update(values)

    return change


def _of_slot(lines: Lines, slot: int) -> Lines:
    event = [line for line in lines if line["kind"] == "event"][slot - 1]["id"]
    return [line for line in lines if line["kind"] == "entrant" and line["event"] == event]


TAMPERINGS: dict[str, tuple[str, str, Callable[[Lines], None]]] = {
    "rating": ("inputs", "its rating is recorded as 77.5", _entrant(2, rating=77.5)),
    "error": ("inputs", "its error is recorded as 3.5", _entrant(3, error=3.5)),
    "pairs": ("inputs", "its pairs is recorded as 0, from", _entrant(2, pairs=0)),
    "waited": ("inputs", "its waited is recorded as 2, from", _entrant(3, waited=2)),
    "met": ("inputs", "its met is recorded as ()", _entrant(2, met=[])),
    "at first": ("inputs", "its pairs is recorded as 4, from", _entrant(1, pairs=4)),
    "nothing": ("terms", "has no met, which", _entrants(2, pairs=None, waited=None, met=None)),
    "in part": ("terms", "has no pairs, which match-making", _entrant(2, pairs=None)),
    "a bound": ("inputs", "expected at most", _entrant(2, rating=1e9)),
    "who meets": ("pairings", "seats", _entrant(2, rating=2000.0)),
}


@pytest.mark.parametrize("case", TAMPERINGS)
def test_what_was_changed_is_named(exported: Exported, tmp_path: Path, case: str) -> None:
    proof, says, change = TAMPERINGS[case]
    lines = events.read(exported[0])
    change(lines)
    found = events.problems(events.look(events.write(tmp_path / "changed.gz", lines)))
    assert any(line.startswith(f"{proof}: ") and says in line for line in found), found
