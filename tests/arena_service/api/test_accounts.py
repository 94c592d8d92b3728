"""Who is calling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from arena_service.store.accounts import create_user
from arena_service.store.database import Database
from cli.client import Arena
from interrex.arena.v1.account_service_pb2 import WhoAmIRequest


def test_a_token_names_its_account(caller: Any) -> None:
    assert caller("ada").accounts.WhoAmI(WhoAmIRequest()).name == "ada"


def test_without_a_token_there_is_no_account(spectator: Arena, refused: Any) -> None:
    with refused() as refusal:
        spectator.accounts.WhoAmI(WhoAmIRequest())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")


def test_an_unknown_token_is_refused(with_token: Any, refused: Any) -> None:
    with refused() as refusal:
        with_token("ix_wrong").accounts.WhoAmI(WhoAmIRequest())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc"])
def test_a_header_that_is_no_bearer_token_is_refused(
    channel: grpc.Channel, header: str, refused: Any
) -> None:
    with refused() as refusal:
        metadata = (("authorization", header),)
        Arena(channel).accounts.WhoAmI(WhoAmIRequest(), metadata=metadata)
    assert refusal.reason == "TOKEN_UNKNOWN"


def test_no_token_is_stored(db: Database, with_token: Any, tmp_path: Path) -> None:
    token = create_user(db, "ada")
    with_token(token).accounts.WhoAmI(WhoAmIRequest())
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("arena.db*"))
    assert b"ada" in stored
    assert token.encode() not in stored
