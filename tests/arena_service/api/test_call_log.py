"""One line for every call: who, what, how it ended; nothing of what was asked or answered."""

from __future__ import annotations

import logging
from ast import literal_eval
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from arena_service.store.accounts import by_token, create_user
from arena_service.store.database import Database
from cli.client import Arena
from interrex.arena.v1.ladder_service_pb2 import CreateLadderRequest, ListLaddersRequest

MATCH = "0123456789abcdef" * 2


@pytest.fixture
def calls(caplog: pytest.LogCaptureFixture) -> Callable[[], list[dict[str, Any]]]:
    caplog.set_level(logging.INFO, "interrex.calls")

    def told() -> list[dict[str, Any]]:
        records = [each for each in caplog.records if each.name == "interrex.calls"]
        return [literal_eval(each.getMessage()) for each in records]

    return told


def test_a_call_names_its_caller_and_its_end(
    db: Database, with_token: Callable[[str], Arena], calls: Callable[[], list[dict[str, Any]]]
) -> None:
    token = create_user(db, "ada")
    ada = by_token(db, token)
    assert ada is not None
    ladders = with_token(token).ladders
    ladders.CreateLadder(CreateLadderRequest(name="daily", game="claim"))
    with pytest.raises(grpc.RpcError):
        ladders.CreateLadder(CreateLadderRequest(name="daily", game="no-such-game"))
    made, refused = calls()
    assert (made["method"], made["code"]) == ("LadderService/CreateLadder", "OK")
    assert refused["code"] == "NOT_FOUND"
    assert made["user_id"] == refused["user_id"] == ada.id
    assert made["ms"] >= 0
    assert token not in str((made, refused))


def test_a_spectator_and_a_wrong_token_have_no_id(
    spectator: Arena,
    with_token: Callable[[str], Arena],
    calls: Callable[[], list[dict[str, Any]]],
) -> None:
    spectator.ladders.ListLadders(ListLaddersRequest())
    with pytest.raises(grpc.RpcError):
        with_token("guessed-token").ladders.ListLadders(ListLaddersRequest())
    watched, guessed = calls()
    assert (watched["code"], watched.get("user_id")) == ("OK", None)
    assert (guessed["code"], guessed.get("user_id")) == ("UNAUTHENTICATED", None)
    assert "guessed-token" not in str(guessed)


def test_of_ids_that_come_along_only_ids_are_kept(
    spectator: Arena, calls: Callable[[], list[dict[str, Any]]]
) -> None:
    metadata = (("interrex-match", MATCH), ("interrex-series", "forged line"))
    spectator.ladders.ListLadders(ListLaddersRequest(), metadata=metadata)
    [line] = calls()
    assert line["match_id"] == MATCH
    assert "forged" not in str(line)
