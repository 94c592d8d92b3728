"""The JSON form of a view is the JSON form of its protobuf message, field for field."""

from __future__ import annotations

import json
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from engine_service import catalogue
from engine_service.client import LocalEngine, MatchStart, Turn
from engine_service.core import referee
from engine_service.core.errors import RulesError
from engine_service.core.game import Viewer
from engine_service.wire.encoding import to_json, view_json
from engine_service.wire.views import views_in
from interrex.engine.v1 import engine_service_pb2 as pb

VIEWERS: list[Viewer] = [0, 1, "spectator", "all"]


def message(game: str, kind: str) -> Message:
    module = import_module(f"interrex.games.{game}.v1.{game}_pb2")
    made: Message = getattr(module, kind)()
    return made


def as_plain(found: Message) -> dict[str, Any]:
    plain: dict[str, Any] = MessageToDict(
        found, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return plain


def keys(plain: Any) -> Any:
    """All keys at every depth, in a form that compares."""
    if isinstance(plain, dict):
        return {key: keys(value) for key, value in plain.items()}
    return [keys(item) for item in plain] if isinstance(plain, list) else None


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.parametrize("viewer", VIEWERS)
def test_json_and_protobuf_views_are_one(name: str, viewer: Viewer) -> None:
    game = catalogue.game(name)
    position = referee.start(game, game.parse_options({}), game.seat_counts[0], bytes(32))
    while True:
        plain = json.loads(view_json(position, viewer))
        typed = ParseDict(plain, message(name, "View"))
        assert as_plain(typed) == plain
        assert keys(as_plain(typed)) == keys(plain)
        again = type(typed).FromString(typed.SerializeToString())
        assert as_plain(again) == plain
        if position.actor is None:
            break
        position = referee.step(position, game.legal_actions(position.state)[0])


@pytest.mark.parametrize("name", catalogue.names())
def test_scores_have_a_message(name: str) -> None:
    game = catalogue.game(name)
    start = MatchStart(name, {}, game.seat_counts[0], "5" * 64)
    match = LocalEngine().play(start)
    while isinstance(match.offer, Turn):
        match.act(match.offer.ids[0])
    score = match.offer.replay["result"]["score"]
    assert as_plain(ParseDict(score, message(name, "Score"))) == score


def test_options_of_claim_have_a_message() -> None:
    assert as_plain(ParseDict({"blind_peek": True}, message("claim", "Options"))) == {
        "blind_peek": True
    }


def test_json_keeps_the_order_of_keys_and_has_no_spaces() -> None:
    assert to_json({"b": [1, None], "a": {"é": True}}) == '{"b":[1,null],"a":{"é":true}}'.encode()


def test_a_game_without_a_message_has_views_in_json_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(catalogue, "game", lambda name: SimpleNamespace(name=name))
    views_in(pb.VIEW_FORMAT_JSON, "nowhere")
    with pytest.raises(RulesError, match="nowhere has no views in protobuf"):
        views_in(pb.VIEW_FORMAT_PROTOBUF, "nowhere")


@pytest.mark.parametrize("form", [pb.VIEW_FORMAT_PROTOBUF, 7])
def test_a_form_or_game_that_is_not_known_is_refused(form: pb.ViewFormat.ValueType) -> None:
    with pytest.raises(RulesError):
        views_in(form, "../os")
