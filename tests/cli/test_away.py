"""An API that is away while `interrex up` starts it again: what waits for it and asks again."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner, Result

from arena_service.api.server import start
from arena_service.store.database import Database
from cli.client import connect
from cli.commands import app
from interrex.arena.v1.ladder_service_pb2 import ListLaddersRequest, RunLadderNowRequest

PATIENCE_SECONDS = 60.0


@pytest.fixture
def port(tmp_path: Path) -> int:
    """Where the API of an arena should be whose `up` runs."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        found = int(probe.getsockname()[1])
    published = {"api": f"127.0.0.1:{found}", "pid": os.getpid()}
    (tmp_path / "addresses.json").write_text(json.dumps(published))
    return found


def listed(data: Path) -> Result:
    return CliRunner(env={"INTERREX_DATA": str(data)}).invoke(app, ["ladder", "list"])


@contextmanager
def coming(db: Database, port: int) -> Iterator[None]:
    """The API comes when somebody has looked for it in vain."""
    listener = socket.create_server(("127.0.0.1", port))
    listener.settimeout(PATIENCE_SECONDS)
    servers = []

    def come() -> None:
        with listener:
            listener.accept()[0].close()
        servers.append(start(db, f"127.0.0.1:{port}"))

    thread = threading.Thread(target=come)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        for server in servers:
            server.stop()


def test_a_command_waits_for_an_api_that_is_started_again(
    db: Database, port: int, tmp_path: Path
) -> None:
    with coming(db, port):
        result = listed(tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_read_is_asked_again_and_a_slot_is_made_due_once(
    db: Database, port: int, tmp_path: Path
) -> None:
    server = start(db, f"127.0.0.1:{port}")
    with connect(tmp_path) as arena:
        arena.ladders.ListLadders(ListLaddersRequest())
        server.stop()
        with coming(db, port):
            arena.ladders.ListLadders(ListLaddersRequest())
    server = start(db, f"127.0.0.1:{port}")
    with connect(tmp_path) as arena:
        server.stop()
        with coming(db, port), pytest.raises(grpc.RpcError) as told:
            arena.ladders.RunLadderNow(RunLadderNowRequest(ladder="daily"))
    assert told.value.code() is grpc.StatusCode.UNAVAILABLE
