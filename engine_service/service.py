"""The gRPC service: thin doors to the local engine."""

from __future__ import annotations

from collections.abc import Iterator

import grpc

from engine_service.core.errors import IllegalActionError, ReplayError, RulesError
from engine_service.wire import protobuf, queries
from engine_service.wire.encoding import to_json
from engine_service.wire.envelope import status_of
from engine_service.wire.match import Match
from engine_service.wire.messages import Turn
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc


class EngineService(pb_grpc.EngineServiceServicer):
    """Answers from the request alone; nothing is kept between calls."""

    def ListGames(
        self, request: pb.ListGamesRequest, context: grpc.ServicerContext
    ) -> pb.ListGamesResponse:
        """All games."""
        return pb.ListGamesResponse(games=map(protobuf.game_to_message, queries.games()))

    def PlayMatch(
        self, request_iterator: Iterator[pb.PlayMatchRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayMatchResponse]:
        """A match from its start to its end, one offer per answer."""
        try:
            match = _opened(request_iterator)
            yield protobuf.offer_to_message(match)
            while isinstance(match.offer, Turn) and (request := next(request_iterator, None)):
                yield _answered(match, request)
        except RulesError as error:
            context.abort_with_status(status_of(error))

    def WalkReplay(
        self, request: pb.WalkReplayRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.WalkReplayResponse]:
        """The frames of a replay for one viewer."""
        try:
            for frame in queries.walk(request.replay, request.viewer):
                yield protobuf.frame_to_message(frame)
        except RulesError as error:
            context.abort_with_status(status_of(error))

    def VerifyReplay(
        self, request: pb.VerifyReplayRequest, context: grpc.ServicerContext
    ) -> pb.VerifyReplayResponse:
        """A verdict; a replay that does not hold is no error of the call."""
        return protobuf.verdict_to_message(queries.verify(request.replay))

    def Position(
        self, request: pb.PositionRequest, context: grpc.ServicerContext
    ) -> pb.PositionResponse:
        """What a viewer sees after a list of actions."""
        try:
            start = protobuf.start_from_message(request.start)
            found = queries.position(start, request.viewer)
        except RulesError as error:
            context.abort_with_status(status_of(error))
        return pb.PositionResponse(position=to_json(found))


def _opened(requests: Iterator[pb.PlayMatchRequest]) -> Match:
    first = next(requests, None)
    if first is None or not first.HasField("start"):
        raise RulesError("start: expected as the first message of a match")
    return Match(protobuf.start_from_message(first.start))


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
