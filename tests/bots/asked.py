"""What bots are asked about: positions of random matches of every game, with its options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bots import sdk
from bots.sdk import Bot
from engine_service.catalogue import BUILT_IN
from engine_service.core import referee
from engine_service.core.game import Game, Plain
from engine_service.core.referee import Position
from engine_service.core.seeds import Stream
from engine_service.wire.match import offered
from engine_service.wire.messages import Turn
from tests.variants import VARIANTS

LIMITS = {"start_cpu_ms": 5000, "move_cpu_ms": 200, "bank_cpu_ms": 2000, "wall_ms": 11000}


@dataclass(frozen=True)
class Setting:
    """A game with options, and seats to play it."""

    game: Game
    options: Plain
    seats: int

    def __str__(self) -> str:
        """As the tests are named."""
        return "-".join([self.game.name, str(self.seats), *self.options])

    def hello(self, seat: int) -> Plain:
        """What the bot of that seat is told first."""
        return {
            "type": "hello",
            "protocol": 1,
            "match": "m",
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "options": self.options,
            "seats": self.seats,
            "seat": seat,
            "seed": f"{seat:032x}",
            "limits": LIMITS,
        }

    def match(self, number: int) -> Iterator[Position]:
        """The positions of a random match at which somebody has a choice."""
        seed = bytes([number]) * 32
        choices = Stream(seed, "bots/choices")
        parsed = self.game.parse_options(self.options)
        position = referee.start(self.game, parsed, self.seats, seed)
        while position.actor is not None:
            yield position
            legal = self.game.legal_actions(position.state)
            position = referee.step(position, legal[choices.below(len(legal))])


def asked(position: Position) -> Plain:
    """The decision as the bot of its seat is asked for it."""
    turn = offered(position)
    assert isinstance(turn, Turn)
    return {
        "type": "turn",
        "turn": turn.turn,
        "ply": turn.ply,
        "view": json.loads(turn.view),
        "legal": turn.legal,
        "ids": turn.ids,
        "events": json.loads(turn.events),
        "clock": {"bank_cpu_ms": 2000, "wall_ms": 11000},
    }


def choice(bot: type[Bot], setting: Setting, position: Position) -> int:
    """The id of what a new bot chooses."""
    message = asked(position)
    seat = position.actor
    assert seat is not None
    chosen = bot(sdk.Hello(setting.hello(seat))).choose(sdk.Turn(message))
    named = chosen.action if isinstance(chosen, sdk.Answer) else chosen
    names = message["ids"] if isinstance(named, int) else message["legal"]
    found: int = message["ids"][names.index(named)]
    return found


def _settings() -> Iterator[Setting]:
    for game in BUILT_IN:
        for options, seats in product([{}, *VARIANTS.get(game.name, [])], game.seat_counts):
            yield Setting(game, options, seats)


SETTINGS = list(_settings())
