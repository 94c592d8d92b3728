"""The gRPC service: thin doors to the local engine."""

from __future__ import annotations

from collections.abc import Iterator

import grpc

from engine_service.core.errors import IllegalActionError, RulesError
from engine_service.wire import protobuf, queries
from engine_service.wire.encoding import to_json
from engine_service.wire.envelope import status_of
from engine_service.wire.match import Match
from engine_service.wire.messages import Finished
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
            session = _opened(request_iterator)
            yield protobuf.offer_to_message(session.offer)
            for request in request_iterator:
                yield _answered(session, request)
                if isinstance(session.offer, Finished) and not request.HasField("spectator_view"):
                    return
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


def _answered(session: Match, request: pb.PlayMatchRequest) -> pb.PlayMatchResponse:
    kind = request.WhichOneof("message")
    if kind == "spectator_view":
        return pb.PlayMatchResponse(spectator_view=session.spectator_view())
    if kind == "fault":
        if not request.fault.HasField("seat"):
            raise RulesError("fault.seat: expected the seat at fault")
        return protobuf.offer_to_message(session.end(request.fault.ending, request.fault.seat))
    if kind == "no_contest":
        return protobuf.offer_to_message(session.no_contest())
    if kind not in ("notation", "action_id"):
        raise RulesError(f"message: expected an action, a fault or a query, got {kind}")
    action = request.notation if kind == "notation" else request.action_id
    try:
        return protobuf.offer_to_message(session.act(action))
    except IllegalActionError as error:
        refusal = pb.Refusal(ply=error.ply, seat=error.seat, legal_count=error.legal_count)
        return pb.PlayMatchResponse(refusal=refusal)
