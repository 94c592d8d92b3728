"""A real server on a SQLite file, and callers with tokens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from arena_service.api.server import start
from arena_service.remote.client import GrpcWork
from arena_service.store import worker_tokens
from arena_service.store.accounts import create_user
from arena_service.store.database import Database, open_database
from cli.client import Arena, Signed
from tests.arena_service.api.remote import Enter
from tests.arena_service.store.arena import SmallArena

Caller = Callable[[str], Arena]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def address(db: Database) -> Iterator[str]:
    server = start(db, "127.0.0.1:0")
    yield server.address
    server.stop()


@pytest.fixture
def channel(address: str) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(address) as opened:
        yield opened


@pytest.fixture
def with_token(channel: grpc.Channel) -> Caller:
    return lambda token: Arena(grpc.intercept_channel(channel, Signed(token)))


@pytest.fixture
def caller(db: Database, with_token: Caller) -> Caller:
    """Makes an account of the given name and calls as that person."""
    return lambda name: with_token(create_user(db, name))


@pytest.fixture
def spectator(with_token: Caller) -> Arena:
    return with_token("")


@dataclass
class Refusal:
    """What a refused call said."""

    code: grpc.StatusCode = grpc.StatusCode.OK
    message: str = ""
    reason: str = ""
    field: str = ""


@pytest.fixture
def refused() -> Callable[[], contextlib.AbstractContextManager[Refusal]]:
    """`with refused() as refusal:` around a call that must be refused with google.rpc details."""
    return _refused


@contextlib.contextmanager
def _refused() -> Iterator[Refusal]:
    refusal = Refusal()
    with pytest.raises(grpc.RpcError) as raised:
        yield refusal
    assert isinstance(raised.value, grpc.Call)
    status = rpc_status.from_call(raised.value)
    assert status is not None, raised.value
    refusal.code, refusal.message = raised.value.code(), status.message
    for detail in status.details:
        info, request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            refusal.reason = info.reason
        if detail.Unpack(request):
            refusal.field = request.field_violations[0].field


@pytest.fixture
def enter(db: Database, address: str) -> Iterator[Enter]:
    """Lets a worker in by name, at the API or at another address."""
    opened = []

    def worker(name: str, at: str = address, pid: int = 7) -> GrpcWork:
        opened.append(GrpcWork(at, worker_tokens.create(db, name), "host", pid))
        return opened[-1]

    yield worker
    for each in opened:
        each.close()


@pytest.fixture
def arena(db: Database) -> SmallArena:
    """Three bots, three series of four matches."""
    small = SmallArena(db)
    small.close()
    return small
