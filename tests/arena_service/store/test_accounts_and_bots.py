"""Accounts, uploads and who is entered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select
from sqlmodel import col

from arena_service.store import accounts, artifacts, bots, ladders
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.tables import Account, Artifact
from bots.manifest import Manifest
from tests.arena_service.store.arena import GAME, NOON, SmallArena


def test_a_token_is_never_stored(database: Database) -> None:
    token = accounts.create_user(database, "ann")
    user = accounts.by_token(database, token)
    assert user is not None
    assert user.name == "ann"
    assert accounts.by_token(database, token + "x") is None
    with database.read() as session:
        row = session.scalars(select(Account)).one()
    assert token not in (row.token_sha256, row.id, row.name)


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a" * 41, "a/b", "a\n"])
def test_names_are_checked(database: Database, name: str) -> None:
    with pytest.raises(InvalidError, match="name"):
        accounts.create_user(database, name)


def test_a_taken_name_is_refused(database: Database) -> None:
    accounts.create_user(database, "ann")
    with pytest.raises(ConflictError, match="taken"):
        accounts.create_user(database, "ann")


def test_the_same_archive_is_the_same_version(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    first = arena.submit("greedy", b"one")
    again = arena.submit("greedy", b"one")
    assert (first.created, again.created) == (True, False)
    assert (again.id, again.version) == (first.id, 1)
    assert arena.submit("greedy", b"two").version == 2
    assert artifacts.content(database, first.sha256) == b"one"


@pytest.mark.parametrize("content", [b"0123456789", b"01234567", b"\0\xff"])
def test_an_artifact_is_read_in_pieces(database: Database, content: bytes) -> None:
    row = SmallArena(database, entries=0).submit("greedy", content)
    pieces = list(artifacts.pieces(database, row.sha256, 4))
    assert pieces == [content[start : start + 4] for start in range(0, len(content), 4)]


def test_two_bots_share_an_artifact(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    assert arena.submit("a", b"same").id != arena.submit("b", b"same").id
    with database.read() as session:
        assert len(session.scalars(select(col(Artifact.sha256))).all()) == 1


def test_uploads_at_once_get_numbers_of_their_own(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda i: arena.submit("greedy", str(i % 6).encode()), range(12)))
    assert sorted({row.version for row in rows}) == [1, 2, 3, 4, 5, 6]
    assert sum(row.created for row in rows) == 6


def test_an_archive_over_the_limit_is_refused(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    with pytest.raises(InvalidError, match="archive"):
        arena.submit("big", b"x" * (16 * 2**20 + 1))


def test_what_is_not_there_is_named(database: Database) -> None:
    for look in (
        lambda: artifacts.content(database, "00"),
        lambda: bots.version(database, "00"),
        lambda: ladders.show(database, "00"),
    ):
        with pytest.raises(NotFoundError, match="00"):
            look()


def test_a_ladder_is_found_by_name_and_by_id(database: Database) -> None:
    arena = SmallArena(database)
    by_id = ladders.show(database, arena.ladder)
    assert ladders.show(database, by_id.name) == by_id
    assert ladders.all_ladders(database) == [by_id]
    assert (by_id.slot, by_id.entrants, by_id.next_due) == (1, 3, arena.due)


def test_entering_twice_is_entering_once_and_leaving_needs_an_entry(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    version = arena.enter("a")
    arena.enter("a")
    assert ladders.show(database, arena.ladder).entrants == 1
    ladders.leave(database, arena.ladder, version.bot_id)
    assert ladders.show(database, arena.ladder).entrants == 0
    with pytest.raises(ConflictError, match="a is not entered in stones2"):
        ladders.leave(database, arena.ladder, version.bot_id)


def test_a_bot_of_another_game_cannot_enter(database: Database) -> None:
    arena = SmallArena(database, entries=0)
    manifest = Manifest("x", ("other",), ("python3", "main.py"), "json")
    other = bots.submit(database, arena.owner, "x", b"x", manifest, ())
    with pytest.raises(ConflictError, match=GAME):
        ladders.enter(database, arena.ladder, other.bot_id)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": "No"}, "name"),
        ({"cron": "* * * *"}, "cron"),
        ({"cron": "* * * * * *"}, "cron"),
        ({"cron": "61 * * * *"}, "cron"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": "../etc"}, "timezone"),
        ({"pairs_per_slot": 101}, "pairs_per_slot"),
        ({"pairs_per_slot": -1}, "pairs_per_slot"),
        ({"limits": {"move_cpu_ms": 10**9}}, "move_cpu_ms"),
        ({"limits": {"wall": 1}}, "wall"),
    ],
)
def test_a_ladder_is_checked(database: Database, changed: dict[str, object], field: str) -> None:
    arena = SmallArena(database, entries=0)
    values = {
        "owner": arena.owner,
        "name": "other",
        "game": GAME,
        "options": {},
        "seats": 2,
        "cron": "0 * * * *",
        "timezone": "UTC",
        "rules_version": 1,
        "now": NOON,
    }
    with pytest.raises(InvalidError) as caught:
        ladders.create_ladder(database, **(values | changed))  # type: ignore[arg-type]
    assert caught.value.field == field
