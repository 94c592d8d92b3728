"""The engine service offers every game, with views in both forms, which hold the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine_service.core import referee
from engine_service.core.game import Plain
from engine_service.server import build
from interrex.engine.v1 import engine_service_pb2 as pb
from interrex.engine.v1 import engine_service_pb2_grpc as pb_grpc


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pb_grpc.EngineServiceStub]:
    address = f"unix:{tmp_path_factory.mktemp('engine')}/engine.sock"
    server, _ = build(address)
    server.start()
    with grpc.insecure_channel(address) as channel:
        yield pb_grpc.EngineServiceStub(channel)
    server.stop(0).wait()


def unpacked(packed: AnyMessage, game: str) -> Plain:
    """A typed view as plain data; its type is known by the name that travels with it."""
    name = packed.TypeName()
    assert name == f"interrex.games.{game}.v1.View"
    found = descriptor_pool.Default().FindMessageTypeByName(name)
    view = message_factory.GetMessageClass(found)()
    assert packed.Unpack(view)
    plain: dict[str, Any] = MessageToDict(
        view, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return plain


def start(case, form: pb.ViewFormat.ValueType, actions: tuple[str, ...] = ()) -> pb.MatchStart:
    return pb.MatchStart(
        game=case.game.name,
        options=json.dumps(case.raw_options).encode(),
        seats=case.seats,
        seed=case.seed.hex(),
        actions=actions,
        view_format=form,
    )


def decisions(case) -> Iterator[int]:
    """The ids that a random match is played by, forced plies left out."""
    choices = case.choices()
    position = referee.play_forced(case.first())
    while legal := case.game.legal_actions(position.state):
        chosen = legal[choices.below(len(legal))]
        yield chosen
        position = referee.step(position, chosen)


def answers(stub, case, form: pb.ViewFormat.ValueType) -> list[pb.PlayMatchResponse]:
    """Everything that is offered in a match, with what spectators see at every turn."""
    query = pb.PlayMatchRequest(spectator_view=pb.SpectatorViewQuery())
    requests = [pb.PlayMatchRequest(start=start(case, form))]
    for chosen in decisions(case):
        requests += [query, pb.PlayMatchRequest(action_id=chosen)]
    return list(stub.PlayMatch(iter(requests)))


def test_a_match_is_the_same_in_both_forms(stub, case) -> None:
    plain = answers(stub, case, pb.VIEW_FORMAT_JSON)
    typed = answers(stub, case, pb.VIEW_FORMAT_PROTOBUF)
    assert plain == answers(stub, case, pb.VIEW_FORMAT_UNSPECIFIED)
    assert plain[-1].HasField("finished")
    for one, other in zip(plain, typed, strict=True):
        view, rest = parted(one, case.game.name, "view", "spectator_view")
        assert isinstance(view, dict)
        assert parted(other, case.game.name, "typed_view", "typed_spectator_view") == (view, rest)


def parted(
    answer: pb.PlayMatchResponse, game: str, of_seat: str, of_all: str
) -> tuple[Plain, pb.PlayMatchResponse]:
    """The view of an answer, in the field where it must be, as plain data; and all the rest."""
    rest = pb.PlayMatchResponse.FromString(answer.SerializeToString())
    kind = rest.WhichOneof("message")
    holder: Message = rest if kind in (None, of_all) else getattr(rest, kind)
    field = of_seat if kind == "turn" else of_all
    view = getattr(holder, field)
    plain: Plain = json.loads(view) if isinstance(view, bytes) else unpacked(view, game)
    holder.ClearField(field)
    return plain, rest


def test_a_walk_is_the_same_in_both_forms(stub, case) -> None:
    replay = answers(stub, case, pb.VIEW_FORMAT_JSON)[-1].finished.replay
    for viewer in map(str, case.viewers):
        one = pb.WalkReplayRequest(replay=replay, viewer=viewer)
        other = pb.WalkReplayRequest(
            replay=replay, viewer=viewer, view_format=pb.VIEW_FORMAT_PROTOBUF
        )
        for plain, typed in zip(stub.WalkReplay(one), stub.WalkReplay(other), strict=True):
            assert typed.view == b""
            assert unpacked(typed.typed_view, case.game.name) == json.loads(plain.view)
            typed.view = plain.view
            typed.ClearField("typed_view")
            assert typed == plain


def test_a_position_is_the_same_in_both_forms(stub, case) -> None:
    *_, last = case.match()
    actions = tuple(ply.action for ply in last.plies)
    for viewer in map(str, case.viewers):
        for count in (0, len(actions) // 2, len(actions)):
            plain, typed = (
                stub.Position(
                    pb.PositionRequest(start=start(case, form, actions[:count]), viewer=viewer)
                )
                for form in (pb.VIEW_FORMAT_JSON, pb.VIEW_FORMAT_PROTOBUF)
            )
            found = json.loads(plain.position)
            assert unpacked(typed.typed_view, case.game.name) == found.pop("view")
            assert json.loads(typed.position) == found
