"""The server process: statuses, health, reflection, and what a caller sees when it goes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest
from google.rpc import code_pb2, error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from engine_service.catalogue import names
from engine_service.client import EngineUnavailable, GrpcEngine, MatchStart, Turn
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc
from tests.engine_service.service.conftest import SEED, engine_process

Start = Callable[..., MatchStart]


@pytest.fixture
def stub(address: str) -> Iterator[pb_grpc.EngineServiceStub]:
    with grpc.insecure_channel(address) as channel:
        yield pb_grpc.EngineServiceStub(channel)


def refusal(call: Callable[[], object]) -> tuple[int, str, dict[str, str]]:
    """Status code, reason and metadata of a failing call."""
    with pytest.raises(grpc.RpcError) as failed:
        call()
    assert isinstance(failed.value, grpc.Call)
    status = rpc_status.from_call(failed.value)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return status.code, info.reason, dict(info.metadata)


def message(**changes: object) -> pb.MatchStart:
    values: dict[str, object] = {"game": "claim", "seats": 2, "seed": SEED}
    return pb.MatchStart(**values | changes)  # type: ignore[arg-type]


def test_an_illegal_start_names_ply_and_seat(stub: pb_grpc.EngineServiceStub) -> None:
    request = pb.PositionRequest(start=message(actions=["U6", "U6"]), viewer="all")
    code, reason, fields = refusal(lambda: stub.Position(request))
    assert (code, reason) == (code_pb2.INVALID_ARGUMENT, "IllegalActionError")
    assert (fields["ply"], fields["seat"], fields["action"]) == ("1", "1", "U6")


def test_a_stream_that_starts_wrong_ends_with_the_same_status(
    stub: pb_grpc.EngineServiceStub,
) -> None:
    requests = [pb.PlayMatchRequest(start=message(actions=["G0"]))]
    code, reason, fields = refusal(lambda: list(stub.PlayMatch(iter(requests))))
    assert (code, reason) == (code_pb2.INVALID_ARGUMENT, "IllegalActionError")
    assert (fields["ply"], fields["seat"]) == ("0", "0")


def test_an_unknown_game_is_not_found(stub: pb_grpc.EngineServiceStub) -> None:
    request = pb.PositionRequest(start=message(game="chess"), viewer="all")
    code, reason, fields = refusal(lambda: stub.Position(request))
    assert (code, reason) == (code_pb2.NOT_FOUND, "UnknownGameError")
    assert fields == {"name": "chess", "known": ", ".join(names())}


@pytest.mark.parametrize(
    "requests",
    [
        [],
        [pb.PlayMatchRequest()],
        [pb.PlayMatchRequest(notation="G5")],
        [pb.PlayMatchRequest(start=message(options=b"[]"))],
        [pb.PlayMatchRequest(start=message(options=b"{"))],
        [pb.PlayMatchRequest(start=message(view_format=7))],
        [pb.PlayMatchRequest(start=message()), pb.PlayMatchRequest(start=message())],
        [pb.PlayMatchRequest(start=message()), pb.PlayMatchRequest()],
        [
            pb.PlayMatchRequest(start=message()),
            pb.PlayMatchRequest(fault=pb.Fault(ending="crash")),
        ],
    ],
)
def test_messages_out_of_place_are_invalid(
    stub: pb_grpc.EngineServiceStub, requests: list[pb.PlayMatchRequest]
) -> None:
    code, reason, _ = refusal(lambda: list(stub.PlayMatch(iter(requests))))
    assert (code, reason) == (code_pb2.INVALID_ARGUMENT, "RulesError")


def test_seat_0_and_action_0_are_present_on_the_wire(stub: pb_grpc.EngineServiceStub) -> None:
    requests = [
        pb.PlayMatchRequest(start=message()),
        pb.PlayMatchRequest(action_id=0),
        pb.PlayMatchRequest(fault=pb.Fault(ending="crash", seat=0)),
    ]
    turn, refused, finished = stub.PlayMatch(iter(requests))
    assert turn.turn.HasField("seat")
    assert refused.refusal.HasField("seat")
    assert json.loads(finished.finished.replay)["result"]["at_fault"] == 0


def test_the_server_reports_its_health(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        for service in ("", "interrex.engine.v1.EngineService"):
            answer = stub.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_the_server_describes_its_services(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(iter(stub.ServerReflectionInfo(iter([request]))))
        names = {service.name for service in answer.list_services_response.service}
    assert "interrex.engine.v1.EngineService" in names


def test_nobody_at_the_address_is_unavailable(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        engine = GrpcEngine(f"127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(EngineUnavailable):
            engine.play(start())
        with pytest.raises(EngineUnavailable):
            engine.games()
        engine.close()


def test_a_server_that_ends_leaves_running_matches_unavailable(start: Start) -> None:
    with engine_process() as (address, process):
        engine = GrpcEngine(address)
        session = engine.play(start())
        assert isinstance(session.offer, Turn)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        with pytest.raises(EngineUnavailable):
            session.act(session.offer.ids[0])
        with pytest.raises(EngineUnavailable):
            engine.games()
        session.close()
        engine.close()
        assert process.stdout is not None
        assert process.stdout.read() == b""


def test_a_match_that_goes_on_is_played_out_before_the_server_ends(start: Start) -> None:
    with engine_process() as (address, process):
        engine = GrpcEngine(address)
        session = engine.play(start())
        process.send_signal(signal.SIGTERM)
        while isinstance(session.offer, Turn):
            session.act(session.offer.ids[0])
        assert process.wait(timeout=60) == 0
        engine.close()


def test_a_killed_server_is_unavailable(start: Start) -> None:
    with engine_process() as (address, process):
        engine = GrpcEngine(address)
        session = engine.play(start())
        process.kill()
        process.wait(timeout=20)
        with pytest.raises(EngineUnavailable):
            session.spectator_view()
        engine.close()


def test_a_unix_socket_serves_as_well(tmp_path: Path, start: Start) -> None:
    address = f"unix:{tmp_path}/engine.sock"
    command = [sys.executable, "-m", "engine_service.server", "--address", address]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            with grpc.insecure_channel(address) as channel:
                grpc.channel_ready_future(channel).result(timeout=30)
            engine = GrpcEngine(address)
            assert isinstance(engine.play(start()).offer, Turn)
            engine.close()
        finally:
            process.kill()


def test_two_processes_share_a_port(start: Start) -> None:
    with engine_process() as (address, first):
        command = [sys.executable, "-m", "engine_service.server", "--address", address]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as second:
            try:
                assert second.stderr is not None
                assert b"serving" in second.stderr.readline()
                first.kill()
                first.wait()
                engine = GrpcEngine(address)
                assert isinstance(engine.play(start()).offer, Turn)
                engine.close()
            finally:
                second.kill()


def test_an_address_that_cannot_be_listened_on_is_told_in_one_line() -> None:
    command = [sys.executable, "-m", "engine_service.server", "--address", "nowhere.invalid:http"]
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"GRPC_VERBOSITY": "NONE"},
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("cannot listen on nowhere.invalid:http")
    assert ended.stderr.count("\n") == 1
