"""Health, reflection, limits, bugs, and the end of the server's process."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena_service.api import bots as api_bots
from arena_service.api.server import (
    CALLS_AT_ONCE,
    RECEIVED_BYTES,
    SENT_BYTES,
    AddressError,
    start,
)
from arena_service.store import bots
from arena_service.store import database as databases
from arena_service.store.accounts import create_user
from arena_service.store.database import Database, open_database
from cli.client import Arena, Signed
from interrex.arena.v1.bot_service_pb2 import DownloadBotRequest, ListBotsRequest
from tests.arena_service.api.test_bots import archive

SERVICES = {f"interrex.arena.v1.{name}Service" for name in ("Account", "Bot", "Ladder", "Replay")}


@pytest.mark.parametrize("service", ["", *sorted(SERVICES)])
def test_health_is_open_to_everybody(channel: grpc.Channel, service: str) -> None:
    request = health_pb2.HealthCheckRequest(service=service)
    answer = health_pb2_grpc.HealthStub(channel).Check(request)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_lists_every_service(channel: grpc.Channel) -> None:
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    (answer,) = stub.ServerReflectionInfo(iter([request]))
    assert {each.name for each in answer.list_services_response.service} >= SERVICES


def test_an_address_that_is_taken_is_said_so(db: Database, address: str) -> None:
    with pytest.raises(AddressError, match=address):
        start(db, address)


def test_the_process_serves_on_a_socket_and_ends_on_sigterm(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'api.sock'}"
    command = [sys.executable, "-m", "arena_service.api.server", "--address", address]
    process = subprocess.Popen(
        command, env={"INTERREX_DATA": str(tmp_path)}, stderr=subprocess.PIPE
    )
    try:
        with grpc.insecure_channel(address) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            stub.Check(health_pb2.HealthCheckRequest(), wait_for_ready=True, timeout=30)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INTERREX_LEASE_SECONDS", "soon"),
        ("INTERREX_DATABASE_URL", "nonsense"),
        ("INTERREX_DATABASE_URL", "postgresql+psycopg://nobody@127.0.0.1:1/none"),
    ],
)
def test_a_wrong_setting_ends_the_process_with_its_name(
    tmp_path: Path, name: str, value: str
) -> None:
    command = [sys.executable, "-m", "arena_service.api.server", "--address", "127.0.0.1:0"]
    environment = {"INTERREX_DATA": str(tmp_path), name: value}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{name}: ")
    assert ended.stderr.count("\n") == 1


def a_bug(*_: object) -> NoReturn:
    raise RuntimeError("the key is 5eed")


@pytest.mark.parametrize(
    ("broken", "call"),
    [
        ("of_owner", lambda arena: arena.bots.ListBots(ListBotsRequest())),
        ("version", lambda arena: list(arena.bots.DownloadBot(DownloadBotRequest()))),
    ],
)
def test_a_bug_is_told_by_its_reference_alone(
    caller: Any,
    refused: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    broken: str,
    call: Callable[[Arena], object],
) -> None:
    arena = caller("ada")
    monkeypatch.setattr(bots, broken, a_bug)
    with refused() as refusal:
        call(arena)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "5eed" not in refusal.message
    reference = refusal.message.split()[-1]
    (record,) = [each for each in caplog.records if reference in each.getMessage()]
    assert record.exc_text is not None
    assert "the key is 5eed" in record.exc_text


def test_a_locked_database_is_worth_another_try(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(databases, "BUSY_SECONDS", 0.05)
    db = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    db.migrate()
    token, server = create_user(db, "ada"), start(db, "127.0.0.1:0")
    try:
        with (
            sqlite3.connect(tmp_path / "arena.db") as other,
            grpc.insecure_channel(server.address) as channel,
        ):
            other.execute("BEGIN IMMEDIATE")
            with refused() as refusal:
                Arena(grpc.intercept_channel(channel, Signed(token))).submit(archive())
    finally:
        server.stop()
        db.close()
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "DATABASE_AWAY")
    assert "database is locked" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_request_over_the_limit_is_refused(caller: Any) -> None:
    request = DownloadBotRequest(version_id="x" * RECEIVED_BYTES)
    with pytest.raises(grpc.RpcError) as refused:
        list(caller("ada").bots.DownloadBot(request))
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_an_answer_over_the_limit_is_not_sent(caller: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_bots, "CHUNK_BYTES", 2 * SENT_BYTES)
    arena = caller("ada")
    version = arena.submit(archive(random.Random(1).randbytes(SENT_BYTES))).version
    with pytest.raises(grpc.RpcError) as refused:
        list(arena.bots.DownloadBot(DownloadBotRequest(version_id=version.id)))
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "Sent message" in refused.value.details()


def refusal_of(spectator: Arena) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as refused:
        spectator.bots.ListBots(ListBotsRequest(), timeout=5)
    return cast(grpc.StatusCode, refused.value.code())


def test_more_calls_than_the_server_holds_are_refused(
    channel: grpc.Channel, spectator: Arena
) -> None:
    stub, end = reflection_pb2_grpc.ServerReflectionStub(channel), threading.Event()
    streams = [stub.ServerReflectionInfo(_silent_until(end)) for _ in range(2 * CALLS_AT_ONCE)]
    deadline = time.monotonic() + 60
    try:
        while refusal_of(spectator) is not grpc.StatusCode.RESOURCE_EXHAUSTED:
            assert time.monotonic() < deadline  # not all streams have arrived
    finally:
        end.set()
    # The question may have taken the place of one.
    assert CALLS_AT_ONCE - 1 <= sum(map(was_served, streams)) <= CALLS_AT_ONCE


def was_served(stream: Any) -> bool:
    try:
        return list(stream) == []
    except grpc.RpcError as error:
        return cast(grpc.Call, error).code() is not grpc.StatusCode.RESOURCE_EXHAUSTED


def _silent_until(
    end: threading.Event,
) -> Iterator[reflection_pb2.ServerReflectionRequest]:
    end.wait(60)
    yield from ()
