"""The games with the options and seats that are measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine_service import catalogue
from engine_service.core.game import Game, Plain


@dataclass(frozen=True)
class Setting:
    """One configuration of a game."""

    game: Game
    seats: int
    options: Plain = field(default_factory=dict)

    def __str__(self) -> str:
        """As in tables."""
        values = [f"{name}={value}" for name, value in self.options.items()]
        return ", ".join([self.game.title, f"{self.seats} seats", *values])

    def deals(self, number: int) -> list[Any]:
        """The first states of so many matches."""
        options = self.game.parse_options(self.options)
        seeds = (index.to_bytes(32, "big") for index in range(number))
        return [self.game.deal(seed, options, self.seats) for seed in seeds]


def settings() -> Iterator[Setting]:
    """Every number of seats of every game, and The King Is Dead with its cunning cards."""
    for name in catalogue.names():
        game = catalogue.game(name)
        for seats in game.seat_counts:
            yield Setting(game, seats)
            if name == "king_is_dead":
                yield Setting(game, seats, {"variant": "cunning"})
