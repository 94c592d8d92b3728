"""What a caller is told of the engine's own bugs, and what happens to one who falls silent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from engine_service import server as server_module
from engine_service.client import EngineUnavailable, GrpcEngine, LocalEngine, MatchStart, Turn
from engine_service.core import referee, replay
from engine_service.wire import match, queries
from engine_service.wire.messages import MESSAGE_BYTES, Finished

Start = Callable[..., MatchStart]
SECRET = "the deck is G1 G2"
THREADS = 4


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GrpcEngine]:
    """A small server in this process, where faults can be planted; its patience is short."""
    monkeypatch.setattr(server_module, "THREADS", THREADS)
    address = f"unix:{tmp_path}/engine.sock"
    server, _ = server_module.build(address, silence_seconds=0.5)
    server.start()
    found = GrpcEngine(address)
    yield found
    found.close()
    server.stop(0).wait()


def a_bug(*_: object) -> NoReturn:
    raise RuntimeError(SECRET)


def play_on(engine: GrpcEngine, start: MatchStart) -> None:
    session = engine.play(start)
    assert isinstance(session.offer, Turn)
    session.act(session.offer.ids[0])


def walk(engine: GrpcEngine, played: Finished) -> None:
    list(engine.walk(replay.write(played.replay), "all"))


@pytest.mark.parametrize(
    ("place", "name", "call"),
    [
        (queries, "games", lambda engine, start, played: engine.games()),
        (match, "opened", lambda engine, start, played: engine.play(start)),
        (referee, "step", lambda engine, start, played: play_on(engine, start)),
        (queries, "verify", lambda engine, start, played: engine.verify(b"")),
        (queries, "position", lambda engine, start, played: engine.position(start, "all")),
        (replay, "frames", lambda engine, start, played: walk(engine, played)),
    ],
)
def test_a_bug_is_internal_logged_and_tells_nothing(
    engine: GrpcEngine,
    start: Start,
    played: Finished,
    place: object,
    name: str,
    call: Callable[[GrpcEngine, MatchStart, Finished], object],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(place, name, a_bug)
    with pytest.raises(EngineUnavailable, match="INTERNAL") as failed:
        call(engine, start(), played)
    reference = reference_of(failed.value.__cause__)
    assert reference in str(failed.value)
    assert SECRET not in str(failed.value)
    (record,) = [each for each in caplog.records if reference in each.getMessage()]
    assert record.exc_text is not None
    assert SECRET in record.exc_text


def reference_of(error: BaseException | None) -> str:
    """The reference of a failed call, whose status has one reason and tells nothing else."""
    assert isinstance(error, grpc.Call)
    status = rpc_status.from_call(error)
    assert status is not None
    assert error.code() is grpc.StatusCode.INTERNAL
    assert SECRET not in str(error.trailing_metadata())
    (detail,) = status.details
    info = error_details_pb2.ErrorInfo()
    assert detail.Unpack(info)
    assert (info.reason, set(info.metadata)) == ("EngineBug", {"reference"})
    return info.metadata["reference"]


def test_a_bug_is_loud_in_the_local_engine(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "opened", a_bug)
    with pytest.raises(RuntimeError):
        LocalEngine().play(start())


def test_a_silent_caller_loses_its_match_and_gives_its_thread_back(
    engine: GrpcEngine, start: Start
) -> None:
    sessions = [engine.play(start()) for _ in range(THREADS)]
    with pytest.raises(EngineUnavailable, match="RESOURCE_EXHAUSTED"):
        engine.games()
    wait_for_room(engine, start)
    for session in sessions:
        assert isinstance(session.offer, Turn)
        with pytest.raises(EngineUnavailable, match="DEADLINE_EXCEEDED"):
            session.act(session.offer.ids[0])


def wait_for_room(engine: GrpcEngine, start: Start) -> None:
    """Until as many matches as the engine has threads can be in play at once."""
    deadline = time.monotonic() + 60
    while True:
        with ExitStack() as opened, suppress(EngineUnavailable):
            for _ in range(THREADS):
                opened.callback(engine.play(start()).close)
            return
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_caller_that_speaks_in_time_keeps_its_match(engine: GrpcEngine, start: Start) -> None:
    session, began = engine.play(start()), time.monotonic()
    while time.monotonic() < began + 1.2:
        session.spectator_view()
        time.sleep(0.05)
    assert isinstance(session.offer, Turn)
    session.act(session.offer.ids[0])
    session.close()


def test_a_message_over_the_limit_is_refused(engine: GrpcEngine) -> None:
    with pytest.raises(EngineUnavailable, match="RESOURCE_EXHAUSTED"):
        engine.verify(bytes(MESSAGE_BYTES))
