"""How the views of a call travel: as JSON, or as the message `interrex.games.GAME.v1.View`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

import msgspec
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message

from engine_service import catalogue
from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.wire.encoding import to_json
from interrex.engine.v1 import engine_service_pb2 as pb


class Views:
    """JSON: every answer stays as it is."""

    def of_match(self, answer: pb.PlayMatchResponse) -> pb.PlayMatchResponse:
        """An answer in a match."""
        return answer

    def of_frame(self, answer: pb.WalkReplayResponse) -> pb.WalkReplayResponse:
        """A frame of a replay."""
        return answer

    def of_position(self, answer: pb.PositionResponse) -> pb.PositionResponse:
        """A position."""
        return answer


class TypedViews(Views):
    """Protobuf: the typed view takes the place of the JSON."""

    def __init__(self, game: str) -> None:
        """Raises RulesError for a game that has no such message."""
        self._kind = _kind(game)

    def of_match(self, answer: pb.PlayMatchResponse) -> pb.PlayMatchResponse:
        """An answer in a match; refusals and rejections hold no view."""
        kind = answer.WhichOneof("message")
        if kind == "turn":
            answer.turn.typed_view.CopyFrom(self._typed(answer.turn.view))
            answer.turn.ClearField("view")
        elif kind == "finished":
            finished = answer.finished
            finished.typed_spectator_view.CopyFrom(self._typed(finished.spectator_view))
            finished.ClearField("spectator_view")
        elif kind == "spectator_view":
            answer.typed_spectator_view.CopyFrom(self._typed(answer.spectator_view))
        return answer

    def of_frame(self, answer: pb.WalkReplayResponse) -> pb.WalkReplayResponse:
        """A frame of a replay."""
        answer.typed_view.CopyFrom(self._typed(answer.view))
        answer.ClearField("view")
        return answer

    def of_position(self, answer: pb.PositionResponse) -> pb.PositionResponse:
        """A position, whose JSON then has no view."""
        position = msgspec.json.decode(answer.position)
        answer.typed_view.CopyFrom(self._packed(position.pop("view")))
        answer.position = to_json(position)
        return answer

    def _typed(self, view: bytes) -> AnyMessage:
        return self._packed(msgspec.json.decode(view))

    def _packed(self, view: Plain) -> AnyMessage:
        packed = AnyMessage()
        packed.Pack(ParseDict(view, self._kind()))
        return packed


def views_in(form: pb.ViewFormat.ValueType, game: str) -> Views:
    """The form that a caller asked for; raises RulesError where there is none."""
    if form in (pb.VIEW_FORMAT_UNSPECIFIED, pb.VIEW_FORMAT_JSON):
        return Views()
    if form == pb.VIEW_FORMAT_PROTOBUF:
        return TypedViews(game)
    raise RulesError(f"view_format: expected JSON or PROTOBUF, got {form}")


@cache
def _kind(game: str) -> type[Message]:
    name = catalogue.game(game).name  # a known one: it becomes the name of a module
    try:
        module = import_module(f"interrex.games.{name}.v1.{name}_pb2")
    except ModuleNotFoundError as error:
        raise RulesError(f"view_format: {name} has no views in protobuf") from error
    kind: type[Message] = module.View
    return kind
