"""How long a message to a seat is does not depend on what the seat may not know."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine_service.core import referee
from engine_service.core.referee import Position
from engine_service.wire.encoding import to_json, view_json
from engine_service.wire.match import events, offered
from engine_service.wire.messages import Turn
from engine_service.wire.views import views_in
from interrex.engine.v1 import engine_service_pb2 as pb
from tests.bots.asked import SETTINGS, Setting
from workers.match.protocol import turn

CLOCK = {"bank_cpu_ms": 2000, "wall_ms": 11000}
PLIES, TRUTHS = 7, 2

# Nothing is hidden in The King Is Dead without its cunning cards.
HIDING = [s for s in SETTINGS if s.options or s.game.name != "king_is_dead"]


def sizes(position: Position, seat: int) -> dict[str, int]:
    """In bytes: what the seat receives at a position in each form that there is."""
    view, told = view_json(position, seat), to_json(events(position, seat))
    typed = views_in(pb.VIEW_FORMAT_PROTOBUF, position.game.name)
    frame = typed.of_frame(pb.WalkReplayResponse(view=view))
    found = {"view": len(view), "events": len(told), "typed view": frame.ByteSize()}
    if position.actor == seat:
        offer = offered(position)
        assert isinstance(offer, Turn)
        found["line to the bot"] = len(turn(offer, CLOCK))
    return found


def retold(position: Position, truth: Any) -> Position:
    """The same match, had the truth been another: its deal and its plies."""
    game, deal = position.game, position.game.deal_to_plain(truth)
    other = referee.set_up(game, position.options, position.seats, deal)
    for action in game.state_to_plain(truth)["plays"]:
        other = referee.play(other, action)
    return other


@pytest.mark.parametrize("setting", HIDING, ids=str)
def test_the_size_of_a_message_tells_nothing_hidden(setting: Setting) -> None:
    rng = random.Random(5)
    positions = list(setting.match(4))
    for position in positions[:: max(1, len(positions) // PLIES)]:
        for seat in range(setting.seats):
            view = setting.game.view(position.state, seat)
            truths = [setting.game.determinize(view, rng) for _ in range(TRUTHS)]
            alike = [sizes(retold(position, truth), seat) for truth in truths]
            assert alike == [sizes(position, seat)] * TRUTHS
