"""Exports over a real channel: to everybody once an event has ended, to nobody before."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import grpc
import pytest
from msgspec.structs import replace

from arena_service.api import exports as api
from arena_service.api.errors import ApiError
from arena_service.api.server import start
from arena_service.audit import documents
from arena_service.store import exports
from arena_service.store.database import Database
from cli.client import Arena
from interrex.arena.v1.export_service_pb2 import ExportLadderRequest, ExportTournamentRequest
from tests.arena_service.audit import events


def of_tournament(arena: Arena, name: str = "cup") -> bytes:
    return whole(arena.exports.ExportTournament(ExportTournamentRequest(tournament=name)))


def of_ladder(arena: Arena, name: str = "daily", slot: int = 0) -> bytes:
    return whole(arena.exports.ExportLadder(ExportLadderRequest(ladder=name, slot=slot)))


def whole(answers: Iterable[Any]) -> bytes:
    return b"".join(answer.chunk for answer in answers)


def test_a_spectator_audits_a_tournament(db: Database, spectator: Arena, tmp_path: Path) -> None:
    name = events.tournament(db)
    content = of_tournament(spectator)
    (tmp_path / "cup.gz").write_bytes(content)
    assert events.look(tmp_path / "cup.gz").is_clean
    assert of_tournament(spectator, name) == content
    assert b"token" not in gzip.decompress(content)


def test_of_a_ladder_the_complete_slots_are_exported(
    db: Database, spectator: Arena, tmp_path: Path
) -> None:
    events.ladder(db, slots_played=2)
    all_of_it, second = tmp_path / "all.gz", tmp_path / "second.gz"
    all_of_it.write_bytes(of_ladder(spectator))
    second.write_bytes(of_ladder(spectator, slot=2))
    assert events.look(all_of_it).is_clean
    assert [line["slot"] for line in events.read(all_of_it) if line["kind"] == "event"] == [1, 2]
    report = events.look(second)
    assert report.is_clean
    assert [odd.about for odd in report.oddities] == ["ratings, inputs of the first slot"]
    assert [line["slot"] for line in events.read(second) if line["kind"] == "event"] == [2]


@pytest.mark.parametrize("played", [False, True])
def test_nothing_of_a_running_tournament_is_told(
    db: Database, caller: Any, refused: Any, played: bool
) -> None:
    events.started_tournament(db)
    if played:
        events.play(db, events.NOON)  # every result is there, but nobody has closed it
    with refused() as refusal:
        of_tournament(caller("owner"))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "when it has ended" in refusal.message


def test_nothing_of_an_open_slot_is_told(db: Database, spectator: Arena, refused: Any) -> None:
    events.ladder(db, slots_played=0)
    for slot in (0, 1):
        with refused() as refusal:
            of_ladder(spectator, slot=slot)
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
        assert "daily has no complete slot" in refusal.message


def test_what_is_not_there_is_named(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        of_tournament(spectator, "nothing")
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "tournament")
    with refused() as refusal:
        of_ladder(spectator, "nothing")
    assert refusal.field == "ladder"
    with refused() as refusal:
        of_ladder(spectator, slot=-1)
    assert refusal.field == "slot"


def test_the_last_gate_asks_for_access(db: Database) -> None:
    """Whatever the store hands out: an event goes out only when its key may be seen."""
    events.tournament(db)
    lines = [
        replace(line, state="running") if isinstance(line, documents.Event) else line
        for line in exports.of_tournament(db, "cup")
    ]
    sent = api._public(lines)
    assert isinstance(next(sent), documents.Export)
    with pytest.raises(ApiError, match="when it has ended"):
        next(sent)


def test_who_finds_no_place_is_told_to_come_again(
    db: Database, refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "AT_ONCE", 0)
    server = start(db, "127.0.0.1:0")
    try:
        with grpc.insecure_channel(server.address) as channel, refused() as refusal:
            of_tournament(Arena(channel))
    finally:
        server.stop()
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "too many exports" in refusal.message
