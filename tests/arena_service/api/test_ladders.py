"""Ladders over a real channel."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from arena_service.store.database import Database
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    EnterLadderRequest,
    LeaveLadderRequest,
    Limits,
    ListLaddersRequest,
    ListSlotsRequest,
    RunLadderNowRequest,
)
from tests.arena_service.api.played import pass_checks


def create(arena: Arena, **changes: Any) -> Any:
    request = CreateLadderRequest(**{"name": "daily", "game": "claim", **changes})
    return arena.ladders.CreateLadder(request).ladder


def with_bot(arena: Arena, name: str) -> Arena:
    manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
    arena.submit(
        pack_files({"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(b"")})
    )
    return arena


def enter(arena: Arena, bot: str, ladder: str = "daily") -> Any:
    return arena.ladders.EnterLadder(EnterLadderRequest(ladder=ladder, bot=bot))


def test_a_ladder_has_the_arenas_defaults_and_a_commitment(caller: Any) -> None:
    ladder = create(caller("ada"))
    assert (ladder.owner, ladder.seats, ladder.timezone, ladder.slot) == ("ada", 2, "UTC", 1)
    assert ladder.limits.move_cpu_ms > 0
    assert len(ladder.commitment) == 64
    assert ladder.HasField("next_due")


def test_everybody_sees_the_ladders(caller: Any, spectator: Arena) -> None:
    ladder = create(caller("ada"))
    assert list(spectator.ladders.ListLadders(ListLaddersRequest()).ladders) == [ladder]
    assert spectator.show("daily").ladder == ladder
    assert spectator.show(ladder.id).ladder == ladder


def test_an_open_slot_shows_its_commitment_and_keeps_its_key(caller: Any, spectator: Arena) -> None:
    ladder = create(caller("ada"))
    [slot] = spectator.ladders.ListSlots(ListSlotsRequest(ladder="daily")).slots
    assert (slot.number, slot.commitment) == (1, ladder.commitment)
    assert (slot.key, slot.entrants_digest) == ("", "")


def test_a_spectator_makes_no_ladder(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        create(spectator)
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("changes", "code", "reason", "field"),
    [
        ({"game": "chess"}, "NOT_FOUND", "UNKNOWN_GAME", "game"),
        ({"name": "../x"}, "INVALID_ARGUMENT", "BAD_VALUE", "name"),
        ({"seats": 7}, "INVALID_ARGUMENT", "BAD_VALUE", "seats"),
        ({"seats": -1}, "INVALID_ARGUMENT", "BAD_VALUE", "seats"),
        ({"cron": "often"}, "INVALID_ARGUMENT", "BAD_VALUE", "cron"),
        ({"timezone": "Mars/Base"}, "INVALID_ARGUMENT", "BAD_VALUE", "timezone"),
        ({"pairs_per_slot": 10**6}, "INVALID_ARGUMENT", "BAD_VALUE", "pairs_per_slot"),
        ({"limits": Limits(move_cpu_ms=-5)}, "INVALID_ARGUMENT", "BAD_VALUE", "move_cpu_ms"),
        ({"options_json": "{"}, "INVALID_ARGUMENT", "BAD_OPTION", "options_json"),
        ({"options_json": "[]"}, "INVALID_ARGUMENT", "BAD_OPTION", "options_json"),
        (
            {"options_json": '{"blind_peek": 3}'},
            "INVALID_ARGUMENT",
            "BAD_OPTION",
            "options.blind_peek",
        ),
    ],
)
def test_a_faulty_ladder_is_refused_by_its_field(
    caller: Any, refused: Any, changes: dict[str, Any], code: str, reason: str, field: str
) -> None:
    with refused() as refusal:
        create(caller("ada"), **changes)
    assert (refusal.code.name, refusal.reason, refusal.field) == (code, reason, field)


def test_a_name_is_taken_once(caller: Any, refused: Any) -> None:
    ada = caller("ada")
    create(ada)
    with refused() as refusal:
        create(ada)
    assert refusal.reason == "CONFLICT"


def test_bots_enter_leave_and_enter_again(caller: Any) -> None:
    ada = with_bot(caller("ada"), "one")
    create(ada)
    assert enter(ada, "one").version == 1
    assert enter(ada, "one").version == 1
    assert ada.show("daily").ladder.entrants == 1
    ada.ladders.LeaveLadder(LeaveLadderRequest(ladder="daily", bot="one"))
    assert ada.show("daily").ladder.entrants == 0
    enter(ada, "one")


def test_nobody_enters_or_takes_out_the_bot_of_another(caller: Any, refused: Any) -> None:
    ada = with_bot(caller("ada"), "one")
    create(ada)
    enter(ada, "one")
    stranger = caller("bob")
    with refused() as refusal:
        enter(stranger, "one")
    assert refusal.code is grpc.StatusCode.NOT_FOUND
    with refused() as refusal:
        stranger.ladders.LeaveLadder(LeaveLadderRequest(ladder="daily", bot="one"))
    assert refusal.code is grpc.StatusCode.NOT_FOUND
    assert ada.show("daily").ladder.entrants == 1


def test_the_owner_makes_the_next_slot_due(caller: Any, db: Database) -> None:
    ada = with_bot(with_bot(caller("ada"), "one"), "two")
    pass_checks(db)
    before = create(ada)
    enter(ada, "one")
    enter(ada, "two")
    after = ada.ladders.RunLadderNow(RunLadderNowRequest(ladder="daily")).ladder
    assert after.next_due.ToDatetime() < before.next_due.ToDatetime()


def test_a_slot_needs_enough_bots(caller: Any, refused: Any) -> None:
    ada = caller("ada")
    create(ada)
    with refused() as refusal:
        ada.ladders.RunLadderNow(RunLadderNowRequest(ladder="daily"))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "2" in refusal.message


def test_a_stranger_runs_no_slot(caller: Any, spectator: Arena, refused: Any) -> None:
    create(caller("ada"))
    with refused() as refusal:
        caller("bob").ladders.RunLadderNow(RunLadderNowRequest(ladder="daily"))
    assert refusal.reason == "NOT_YOUR_LADDER"
    with refused() as refusal:
        spectator.ladders.RunLadderNow(RunLadderNowRequest(ladder="daily"))
    assert refusal.code is grpc.StatusCode.UNAUTHENTICATED


def test_an_unknown_ladder_is_not_found(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        spectator.show("nothing")
    assert (refusal.code, refusal.field) == (grpc.StatusCode.NOT_FOUND, "ladder")
