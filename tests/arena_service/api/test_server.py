"""Health, reflection and the end of the server's process."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena_service.api.server import AddressError, start
from arena_service.store.database import Database

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


def test_a_wrong_setting_ends_the_process_with_its_name(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena_service.api.server", "--address", "127.0.0.1:0"]
    environment = {"INTERREX_DATA": str(tmp_path), "INTERREX_LEASE_SECONDS": "soon"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "INTERREX_LEASE_SECONDS" in ended.stderr
