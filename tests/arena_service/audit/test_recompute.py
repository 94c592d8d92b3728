"""The script of docs/recompute.md gives the numbers of the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_service.figures import signed
from arena_service.ratings.seats import seat_credits
from arena_service.ratings.table import StandingRow
from arena_service.store import crosstables, exports, ladders, standings, tournaments
from arena_service.store.database import Database
from arena_service.store.ledger import Scope, rated_rows
from tests.arena_service.audit import events

PAGE = Path(__file__).parents[3] / "docs" / "recompute.md"


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    path = tmp_path_factory.mktemp("page") / "recompute.py"
    path.write_text(found.group(1))
    return path


def printed(script: Path, export: Path) -> list[str]:
    command = [sys.executable, "-I", script, export]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def expected(db: Database, rows: tuple[StandingRow, ...], scope: Scope) -> Iterator[str]:
    for row in rows:
        name = f"{row.owner}/{row.bot} {row.version}"
        credit = f"{row.credit:.3f} [{row.credit_low:.3f}, {row.credit_high:.3f}]"
        rating = "-" if row.rating is None else f"{signed(row.rating)} ± {row.error:.0f}"
        fared = f"{row.wins}-{row.draws}-{row.losses}"
        yield f"{row.rank}  {name}  {row.pairs}  {fared}  {credit}  {rating}  {row.faults}"
    met = crosstables.crosstable(db, scope)
    for row in rows:
        fields = [met.get((row.version_id, other.version_id)) for other in rows]
        shares = [f"{100 * f.share:.0f} ({f.pairs})" if f else "-" for f in fields]
        yield " ".join([f"{row.owner}/{row.bot} {row.version}", *shares])
    with db.read() as session:
        worth = seat_credits(rated_rows(session, scope, 1))
    for seat, found in enumerate(worth):
        yield f"seat {seat}: {found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def of_tournament(db: Database) -> list[str]:
    cup = tournaments.show(db, "cup").id
    rows = standings.tournament_standings(db, cup)
    return list(expected(db, rows, Scope(tournament=cup)))


def test_a_tournament(played: Database, cup: Path, script: Path) -> None:
    assert printed(script, cup) == of_tournament(played)


def test_a_ladder(played: Database, daily: Path, script: Path) -> None:
    ladder = ladders.show(played, "daily").id
    rows = standings.standings(played, ladder).rows
    assert printed(script, daily) == list(expected(played, rows, Scope(ladder=ladder)))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("seats", "entries"), [(3, 4), (4, 5)])
def test_more_seats_and_teams(
    database: Database, tmp_path: Path, script: Path, seats: int, entries: int
) -> None:
    events.tournament(database, entries, "king_is_dead", seats)
    path = events.export_tournament(database, "cup", tmp_path / "cup.gz")
    assert printed(script, path) == of_tournament(database)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_nobody_came(database: Database, tmp_path: Path, script: Path) -> None:
    events.tournament(database, entries=0)
    path = events.export(exports.of_tournament(database, "cup"), tmp_path / "cup.gz")
    assert printed(script, path) == []
