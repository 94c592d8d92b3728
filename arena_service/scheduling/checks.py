"""What a new version must come through: one match of each game it names, against itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine_service.catalogue import game as find_game


@dataclass(frozen=True)
class Check:
    """A match to be played with the version on every seat."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int


def checks_of(games: Iterable[str]) -> tuple[Check, ...]:
    """For each game, once, its default options and its fewest seats; raises UnknownGameError."""
    return tuple(_check(name) for name in dict.fromkeys(games))


def _check(name: str) -> Check:
    game = find_game(name)
    options = game.parse_options({}).to_plain()
    return Check(name, game.rules_version, options, min(game.seat_counts))
