"""The gRPC service: thin doors to the local engine."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from engine_service.core.errors import IllegalActionError, ReplayError, RulesError
from engine_service.wire import protobuf, queries
from engine_service.wire.encoding import to_json
from engine_service.wire.envelope import bug_status, silence_status, status_of
from engine_service.wire.match import Match
from engine_service.wire.messages import Turn
from engine_service.wire.views import views_in
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc

log = logging.getLogger("interrex.engine")


class EngineService(pb_grpc.EngineServiceServicer):
    """Answers from the request alone; nothing is kept between calls."""

    def __init__(self, matches: int, silence_seconds: float) -> None:
        """For so many matches at once, each of which may hear nothing for `silence_seconds`."""
        self._readers = ThreadPoolExecutor(matches, thread_name_prefix="reader")
        self._silence_seconds = silence_seconds

    def ListGames(
        self, request: pb.ListGamesRequest, context: grpc.ServicerContext
    ) -> pb.ListGamesResponse:
        """All games."""
        with _failures_told(context):
            return pb.ListGamesResponse(games=map(protobuf.game_to_message, queries.games()))

    def PlayMatch(
        self, request_iterator: Iterator[pb.PlayMatchRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayMatchResponse]:
        """A match from its start to its end, one offer per answer."""
        with _failures_told(context):
            start = _start(self._next(request_iterator))
            match = Match(protobuf.start_from_message(start))
            views = views_in(start.view_format, start.game)
            yield views.of_match(protobuf.offer_to_message(match))
            while isinstance(match.offer, Turn):
                request = self._next(request_iterator)
                if request is None:
                    return
                yield views.of_match(_answered(match, request))

    def WalkReplay(
        self, request: pb.WalkReplayRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.WalkReplayResponse]:
        """The frames of a replay for one viewer."""
        with _failures_told(context):
            document = queries.read(request.replay)
            views = views_in(request.view_format, document["game"])
            for frame in queries.frames(document, request.viewer):
                yield views.of_frame(protobuf.frame_to_message(frame))

    def VerifyReplay(
        self, request: pb.VerifyReplayRequest, context: grpc.ServicerContext
    ) -> pb.VerifyReplayResponse:
        """A verdict; a replay that does not hold is no error of the call."""
        with _failures_told(context):
            return protobuf.verdict_to_message(queries.verify(request.replay))

    def Position(
        self, request: pb.PositionRequest, context: grpc.ServicerContext
    ) -> pb.PositionResponse:
        """What a viewer sees after a list of actions."""
        with _failures_told(context):
            start = protobuf.start_from_message(request.start)
            found = to_json(queries.position(start, request.viewer))
            views = views_in(request.start.view_format, start.game)
            return views.of_position(pb.PositionResponse(position=found))

    def _next(self, requests: Iterator[pb.PlayMatchRequest]) -> pb.PlayMatchRequest | None:
        """The next message, None after the last; raises _SilentCaller."""
        # Read by another thread: gRPC waits for a message without a limit until the call ends.
        reading = self._readers.submit(next, requests, None)
        try:
            return reading.result(self._silence_seconds)
        except TimeoutError as error:
            raise _SilentCaller(self._silence_seconds) from error


class _SilentCaller(Exception):
    """Nothing was said for `seconds`, while the engine waited."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@contextmanager
def _failures_told(context: grpc.ServicerContext) -> Iterator[None]:
    """Whatever is raised inside ends the call with a status."""
    try:
        yield
    except RulesError as error:
        context.abort_with_status(status_of(error))
    except _SilentCaller as error:
        context.abort_with_status(silence_status(error.seconds))
    except grpc.RpcError:
        raise  # the caller is gone: nobody is left to tell
    except Exception:
        reference = secrets.token_hex(6)
        log.exception("a call failed, reference %s", reference)
        context.abort_with_status(bug_status(reference))


def _start(first: pb.PlayMatchRequest | None) -> pb.MatchStart:
    if first is None or not first.HasField("start"):
        raise RulesError("start: expected as the first message of a match")
    return first.start


def _answered(match: Match, request: pb.PlayMatchRequest) -> pb.PlayMatchResponse:
    """What is not possible now is said in the stream and changes nothing."""
    try:
        return _performed(match, request)
    except IllegalActionError as error:
        refusal = pb.Refusal(ply=error.ply, seat=error.seat, legal_count=error.legal_count)
        return pb.PlayMatchResponse(refusal=refusal)
    except ReplayError as error:
        return pb.PlayMatchResponse(rejection=pb.Rejection(ply=error.ply, cause=error.cause))


def _performed(match: Match, request: pb.PlayMatchRequest) -> pb.PlayMatchResponse:
    kind = request.WhichOneof("message")
    if kind == "spectator_view":
        return pb.PlayMatchResponse(spectator_view=match.spectator_view())
    if kind == "notation":
        match.act(request.notation)
    elif kind == "action_id":
        match.act(request.action_id)
    elif kind == "no_contest":
        match.no_contest()
    elif kind == "fault" and request.fault.HasField("seat"):
        match.end(request.fault.ending, request.fault.seat)
    else:
        raise RulesError(f"message: expected an action, a fault with its seat or a query: {kind}")
    return protobuf.offer_to_message(match)
