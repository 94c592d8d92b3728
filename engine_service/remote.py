"""The engine over gRPC: one stream per match, plain calls for the rest."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from engine_service.core.errors import IllegalActionError, ReplayError
from engine_service.wire import protobuf
from engine_service.wire.envelope import error_of
from engine_service.wire.messages import (
    MESSAGE_BYTES,
    EngineUnavailable,
    Finished,
    GameInfo,
    MatchOverError,
    MatchStart,
    Turn,
    Verdict,
)
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc

Metadata = tuple[tuple[str, str | bytes], ...]

CALL_SECONDS = 30.0
MATCH_SECONDS = 4 * 3600.0
CHANNEL_OPTIONS = (
    ("grpc.max_send_message_length", MESSAGE_BYTES),
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    # A server that stands still is noticed within half a minute, in the middle of a match too.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)


class GrpcSession:
    """One match on one stream; requests go out and offers come back in turn."""

    def __init__(self, stub: pb_grpc.EngineServiceStub, start: MatchStart, ids: Metadata) -> None:
        """Open the stream; raises RulesError or EngineUnavailable."""
        self._requests: queue.SimpleQueue[pb.PlayMatchRequest | None] = queue.SimpleQueue()
        outgoing: Iterator[pb.PlayMatchRequest] = iter(self._requests.get, None)
        self._stream: Any = stub.PlayMatch(outgoing, timeout=MATCH_SECONDS, metadata=ids)
        self._last_view = b""
        self.offer: Turn | Finished = self._advance(
            pb.PlayMatchRequest(start=protobuf.start_to_message(start))
        )

    def act(self, action: str | int) -> Turn | Finished:
        """Play an action; IllegalActionError leaves the match as it was."""
        self._check_running()
        if isinstance(action, str):
            request = pb.PlayMatchRequest(notation=protobuf.clean(action))
        else:
            request = pb.PlayMatchRequest(action_id=_bounded(action))
        self.offer = self._advance(request, action)
        return self.offer

    def end(self, ending: str, at_fault: int) -> Finished:
        """End the match by a bot's fault; ReplayError leaves it as it was."""
        fault = pb.Fault(ending=protobuf.clean(ending), seat=_bounded(at_fault))
        return self._finish(pb.PlayMatchRequest(fault=fault))

    def no_contest(self) -> Finished:
        """End a match in which more than one side failed to start."""
        return self._finish(pb.PlayMatchRequest(no_contest=pb.NoContest()))

    def spectator_view(self) -> bytes:
        """What everybody may see now, as JSON."""
        if isinstance(self.offer, Finished):
            return self._last_view
        query = pb.PlayMatchRequest(spectator_view=pb.SpectatorViewQuery())
        return self._ask(query).spectator_view

    def close(self) -> None:
        """End the stream; a match that was not finished is forgotten by the engine."""
        self._requests.put(None)
        self._stream.cancel()

    def _finish(self, request: pb.PlayMatchRequest) -> Finished:
        self._check_running()
        offer = self._advance(request)
        if not isinstance(offer, Finished):
            raise EngineUnavailable("the engine did not end the match")
        self.offer = offer
        return offer

    def _advance(self, request: pb.PlayMatchRequest, action: str | int = "") -> Turn | Finished:
        """The next offer; raises the error of a request that changed nothing."""
        answer = self._ask(request)
        if answer.HasField("refusal"):
            refusal = answer.refusal
            raise IllegalActionError(refusal.ply, refusal.seat, action, refusal.legal_count)
        if answer.HasField("rejection"):
            no = answer.rejection
            raise ReplayError(no.ply if no.HasField("ply") else None, no.cause)
        if answer.HasField("finished"):
            self._last_view = answer.finished.spectator_view
            self._requests.put(None)  # the stream ends by itself, closed or not
        return protobuf.offer_from_message(answer)

    def _check_running(self) -> None:
        if isinstance(self.offer, Finished):
            raise MatchOverError

    def _ask(self, request: pb.PlayMatchRequest) -> pb.PlayMatchResponse:
        self._requests.put(request)
        with _translated():
            answer: pb.PlayMatchResponse | None = next(self._stream, None)
        if answer is None:
            raise EngineUnavailable("the engine closed the stream of the match")
        return answer


class GrpcEngine:
    """The engine service at an address; make it after a fork, never before."""

    def __init__(self, address: str, ids: Callable[[], Metadata] = tuple) -> None:
        """Connect at the first call; `address` is `host:port` or `unix:PATH`.

        `ids` tells, as metadata, by which ids the engine's log shall name the match that begins.
        """
        self._ids = ids
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub = pb_grpc.EngineServiceStub(self._channel)

    def games(self) -> list[GameInfo]:
        """What can be played."""
        answer = _call(self._stub.ListGames, pb.ListGamesRequest())
        return [protobuf.game_from_message(game) for game in answer.games]

    def play(self, start: MatchStart) -> GrpcSession:
        """Begin or resume a match."""
        return GrpcSession(self._stub, start, self._ids())

    def walk(self, data: bytes, viewer: str) -> Iterator[dict[str, Any]]:
        """The frames of a replay."""
        request = pb.WalkReplayRequest(replay=data, viewer=viewer)
        with _translated():
            for message in self._stub.WalkReplay(request, timeout=CALL_SECONDS):
                yield protobuf.frame_from_message(message)

    def verify(self, data: bytes) -> Verdict:
        """Play a replay again and compare everything."""
        answer = _call(self._stub.VerifyReplay, pb.VerifyReplayRequest(replay=data))
        return protobuf.verdict_from_message(answer)

    def position(self, start: MatchStart, viewer: str) -> dict[str, Any]:
        """View, actor and legal actions after a list of actions."""
        request = pb.PositionRequest(start=protobuf.start_to_message(start), viewer=viewer)
        return protobuf.position_from_message(_call(self._stub.Position, request))

    def close(self) -> None:
        """Close the channel."""
        self._channel.close()


def _call(method: Callable[..., Any], request: object) -> Any:
    with _translated():
        return method(request, timeout=CALL_SECONDS)


@contextmanager
def _translated() -> Iterator[None]:
    """A failed call becomes the caller's error it carries, else EngineUnavailable."""
    try:
        yield
    except grpc.RpcError as error:
        known = error_of(error)
        if known is not None:
            raise known from error
        raise EngineUnavailable(f"the engine service failed: {_cause(error)}") from error


def _cause(error: grpc.RpcError) -> str:
    return f"{error.code().name}: {error.details()}" if isinstance(error, grpc.Call) else str(error)


def _bounded(action: int) -> int:
    """Ids past 32 bits are as illegal as -1, and fit the wire."""
    return action if -(2**31) <= action < 2**31 else -1
