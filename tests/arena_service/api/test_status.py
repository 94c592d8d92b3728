"""StatusService: what members and spectators read; the engine is real, the broker is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena_service.api.server import start
from arena_service.settings import Settings
from arena_service.status.heartbeat import Heartbeat
from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from engine_service.server import build
from interrex.arena.v1.status_service_pb2 import GetStatusRequest, GetStatusResponse
from tests.arena_service.api.played import enter, lease


@pytest.fixture
def address(db: Database, tmp_path: Path) -> Iterator[str]:
    engine_address = f"unix:{tmp_path / 'engine.sock'}"
    engine, _ = build(engine_address)
    engine.start()
    settings = replace(
        Settings.from_environment({}),
        engine_address=engine_address,
        broker_url=f"redis+socket://:hidden@{tmp_path / 'nobody.sock'}",
    )
    server = start(db, "127.0.0.1:0", settings)
    yield server.address
    server.stop()
    engine.stop(None)


def ask(arena: Arena) -> GetStatusResponse:
    return arena.status.GetStatus(GetStatusRequest())


def test_a_member_reads_everything(db: Database, caller: Callable[[str], Arena]) -> None:
    ada, bob = caller("ada"), caller("bob")
    enter(db, {"one": ada, "two": bob})
    slot = lease(db)
    Heartbeat(db, "control").beat()
    answer = ask(ada)
    assert answer.queue.series_leased == 1
    assert not answer.queue.HasField("oldest_seconds")
    assert 0 <= answer.queue.tick_seconds < 60
    [running] = answer.running
    assert (running.match, running.competition) == (slot.assignment.matches[0].match_id, "daily")
    rows = {row.kind: row for row in answer.processes}
    assert rows["control"].pid > 0
    assert rows["control"].started_at.seconds > 0
    assert rows["engine"].seen_seconds == 0
    assert rows["broker"].seen_seconds >= 20
    assert "hidden" not in rows["broker"].host


def test_a_spectator_sees_neither_processes_nor_inner_failures(
    db: Database, caller: Callable[[str], Arena], spectator: Arena
) -> None:
    enter(db, {"one": caller("ada"), "two": caller("bob")})
    slot = lease(db)
    slot.work.fail(slot.assignment.series, slot.assignment.fence, "worker", "/srv/private: full")
    answer = ask(spectator)
    assert answer.queue.series_waiting == 1
    assert [(each.cause, each.what) for each in answer.causes] == [("worker", "")]
    assert list(answer.processes) == []
    assert "private" not in str(answer)
    assert "private" in str(ask(caller("eve")))


def test_a_check_match_has_a_name_for_its_owner_alone(
    db: Database, caller: Callable[[str], Arena], spectator: Arena
) -> None:
    ada, bob = caller("ada"), caller("bob")
    manifest = b'name = "mine"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    ada.submit(pack_files({"bot.toml": PackedFile(manifest), "main.py": PackedFile(b"")}))
    leased = StoreWork(db, 60.0).lease("tests")
    assert leased is not None
    [seen] = ask(ada).running
    assert (seen.match, seen.competition) == (leased.matches[0].match_id, "")
    assert [each.match for each in ask(bob).running] == [""]
    assert [each.match for each in ask(spectator).running] == [""]
