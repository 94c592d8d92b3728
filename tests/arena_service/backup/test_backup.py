"""What is backed up comes back, in either database, whatever runs meanwhile; or nothing does."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, inspect, select
from sqlmodel import SQLModel, col

from arena_service.backup import taking
from arena_service.backup.document import FORMAT, BackupError, Reader, TableLine
from arena_service.backup.restoring import NotEmptyError, Restored, restore
from arena_service.backup.taking import take
from arena_service.doctor.examine import examine
from arena_service.store import worker_tokens
from arena_service.store.database import Database, open_database
from arena_service.store.tables import Match, Process, WorkerToken
from arena_service.store.work_store import StoreWork
from engine_service.client import LocalEngine
from tests.arena_service import outcomes
from tests.arena_service.doctor.arena import NOON

Rows = dict[str, list[tuple[Any, ...]]]
FRESH = ("process", "worker_token")  # not as they were, on purpose


def taken(db: Database, path: Path) -> Path:
    (path.parent / "profile.json").write_text('{"user": "ann"}')
    with path.open("wb") as stream:
        take(db, path.parent, "0.1.0", stream, lambda rows: None)
    return path


def restored(db: Database, path: Path) -> Restored:
    return restore(db, Reader(path), lambda rows: None)


def rows(db: Database) -> Rows:
    found: Rows = {}
    with db.read() as session:
        for table in SQLModel.metadata.sorted_tables:
            if table.name not in FRESH:
                listed = session.execute(select(*table.columns)).all()
                found[table.name] = sorted(map(tuple, listed), key=repr)
    return found


def is_clean(db: Database) -> bool:
    return examine(db, LocalEngine(), NOON + timedelta(hours=2), lambda *_: None).is_clean


@pytest.fixture
def backup(filled: Database, tmp_path: Path) -> Path:
    return taken(filled, tmp_path / "arena.backup")


def test_all_comes_back_in_either_database(
    filled: Database, backup: Path, unmigrated: Database
) -> None:
    found = restored(unmigrated, backup)
    before = rows(filled)
    assert rows(unmigrated) == before
    assert {name: found.rows[name] for name in before} == {k: len(v) for k, v in before.items()}
    assert found.files == {"profile.json": b'{"user": "ann"}'}
    assert is_clean(unmigrated)


def test_a_row_may_name_a_later_one_of_its_table(
    filled: Database, tmp_path: Path, unmigrated: Database
) -> None:
    with filled.write() as session:
        first, *_, last = session.scalars(select(Match).order_by(col(Match.id)))
        first.replaces = last.id
    restored(unmigrated, taken(filled, tmp_path / "arena.backup"))
    assert rows(unmigrated)["match"] == rows(filled)["match"]


@pytest.mark.parametrize("unmigrated", ["sqlite"], indirect=True)
def test_it_is_one_state_while_matches_are_played(
    filled: Database, tmp_path: Path, unmigrated: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match is played before the rows of every table are read."""
    work, at, played = StoreWork(filled, 60), NOON + timedelta(hours=5), 0
    described = taking._described

    def described_late(table: Table) -> TableLine:
        nonlocal played
        if (lease := work.lease("w", now=at)) is not None:
            for match in lease.matches:
                assert work.accept(lease.series, lease.fence, outcomes.played(match), now=at)
                played += 1
        return described(table)

    monkeypatch.setattr(taking, "_described", described_late)
    path = taken(filled, tmp_path / "arena.backup")
    assert played > 1
    before = len(rows(filled)["result"])
    restored(unmigrated, path)
    assert len(rows(unmigrated)["result"]) == before - played
    assert is_clean(unmigrated)


@pytest.mark.parametrize("filled_url", ["sqlite"], indirect=True)
def test_leases_of_before_hold_no_more(
    filled: Database, tmp_path: Path, unmigrated: Database
) -> None:
    token = worker_tokens.create(filled, "far")
    with filled.write() as session:
        session.add(Process(id="p", kind="api", host="h", pid=1))
    restored(unmigrated, taken(filled, tmp_path / "arena.backup"))
    assert worker_tokens.by_token(unmigrated, token) is not None
    keys = []
    for db in (filled, unmigrated):
        with db.read() as session:
            keys.append(session.scalars(select(col(WorkerToken.lease_key))).one())
    assert keys[0] != keys[1]
    with unmigrated.read() as session:
        assert session.scalars(select(Process)).all() == []


@pytest.mark.parametrize("filled_url", ["sqlite"], indirect=True)
def test_an_arena_is_not_written_over(backup: Path, database: Database) -> None:
    before = rows(database)
    with pytest.raises(NotEmptyError, match="holds the table"):
        restored(database, backup)
    assert rows(database) == before


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def without_end(content: bytes) -> bytes:
    return gzip.compress(b"".join(gzip.decompress(content).splitlines(keepends=True)[:-1]))


def changed(old: str, new: str, content: bytes) -> bytes:
    text = gzip.decompress(content).decode()
    assert old in text
    return gzip.compress(text.replace(old, new, 1).encode())


def rows_of_account(lines: list[bytes]) -> int:
    """Where they begin."""
    return next(i for i, line in enumerate(lines) if b'"account"' in line) + 1


def with_a_number_for_a_name(content: bytes) -> bytes:
    lines = gzip.decompress(content).splitlines()
    at = rows_of_account(lines)
    row = json.loads(lines[at])
    lines[at] = json.dumps([row[0], 5, *row[2:]]).encode()
    return gzip.compress(b"\n".join([*lines, b""]))


def without_first_account(content: bytes) -> bytes:
    lines = gzip.decompress(content).splitlines()
    at = rows_of_account(lines)
    end = json.loads(lines[-1])
    end["rows"]["account"] -= 1
    return gzip.compress(
        b"\n".join([*lines[:at], *lines[at + 1 : -1], json.dumps(end).encode(), b""])
    )


WRONG = {
    "cut off": cut_off,
    "is cut off after line": without_end,
    "expected a gzipped backup": lambda content: b"rubbish",
    "expected a first line": lambda content: gzip.compress(b"[1]\n"),
    "line 1: expected a line of a backup": lambda content: gzip.compress(b"rubbish\n"),
    "line 1: expected a whole line": lambda content: gzip.compress(b'{"type": "header"}'),
    "another version": lambda content: changed('"revision":"', '"revision":"9', content),
    "the format": lambda content: changed("interrex-backup/1", "interrex-backup/2", content),
    "a table of its schema": lambda content: changed('"name":"bot"', '"name":"bots"', content),
    "columns of bot": lambda content: changed('["owner","text"]', '["owner","dict"]', content),
    "expected a row of": lambda content: changed('+00:00"]', '+99:00"]', content),
    "expected a row of account": with_a_number_for_a_name,
    "as many rows": lambda content: changed('"account":1', '"account":2', content),
    "fit together": without_first_account,
    "nothing after the end": lambda content: content + gzip.compress(b"[]\n"),
}


@pytest.mark.parametrize("filled_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("unmigrated", "says"),
    [
        *(("sqlite", says) for says in WRONG),
        *(("postgresql", says) for says in ("cut off", "fit together", "as many rows")),
    ],
    indirect=["unmigrated"],
)
def test_what_is_no_backup_is_told_and_leaves_nothing(
    backup: Path, unmigrated: Database, says: str
) -> None:
    backup.write_bytes(WRONG[says](backup.read_bytes()))
    with pytest.raises(BackupError, match=says):
        restored(unmigrated, backup)
    assert inspect(unmigrated.engine).get_table_names() == []


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path, unmigrated: Database) -> None:
    columns = [
        ["id", "text"],
        ["name", "text"],
        ["token_sha256", "text"],
        ["created_at", "instant"],
    ]
    account = {"type": "table", "name": "account", "columns": columns, "itself": []}
    header = {"format": FORMAT, "revision": "0001", "version": "0.0.1", "made_at": ""}
    lines = [
        {"type": "header", **header},
        account,
        ["a" * 32, "ann", "b" * 64, NOON.isoformat()],
        {"type": "end", "rows": {"account": 1}},
    ]
    path = tmp_path / "older.backup"
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    restored(unmigrated, path)
    assert is_clean(unmigrated)


def test_an_older_database_is_not_backed_up(tmp_path: Path) -> None:
    older = open_database(f"sqlite:///{tmp_path / 'older.db'}")
    older.migrate("0001")
    with pytest.raises(BackupError, match="bring it up to date by starting the arena once"):
        taken(older, tmp_path / "older.backup")
    older.close()
