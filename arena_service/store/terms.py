"""What a competition is played under: the game, its options, the seats and the clocks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_service.store.errors import InvalidError
from engine_service.catalogue import game as find_game
from engine_service.core.referee import seats_of

DEFAULT_LIMITS = {"start_cpu_ms": 5000, "move_cpu_ms": 200, "bank_cpu_ms": 2000}
MAX_LIMITS = {"start_cpu_ms": 30_000, "move_cpu_ms": 10_000, "bank_cpu_ms": 300_000}


@dataclass(frozen=True)
class Terms:
    """As they are stored, every default filled in."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    limits: dict[str, int]


def agree(
    game: str,
    options: Mapping[str, Any],
    seats: int,
    limits: Mapping[str, int] | None,
    rules_version: int | None = None,
) -> Terms:
    """Check what was asked for; zeros mean the defaults. Raises InvalidError.

    Without `rules_version` the game is looked up, which checks options and seats too.
    """
    clocks = limits_of(limits or {})
    if rules_version is not None:
        return Terms(game, rules_version, dict(options), seats, clocks)
    found = find_game(game)
    seats = seats or min(found.seat_counts)
    plain = found.parse_options(options).to_plain()
    if seats not in found.seat_counts:
        raise InvalidError("seats", seats_of(found))
    return Terms(game, found.rules_version, dict(plain), seats, clocks)


def written(options: Mapping[str, Any]) -> str:
    """The options as they are typed, NAME=VALUE, in one line."""
    return ", ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in options.items()
    )


def limits_of(wanted: Mapping[str, int]) -> dict[str, int]:
    """The clocks of a match, zeros as the defaults; raises InvalidError."""
    limits = dict(DEFAULT_LIMITS)
    for name, value in wanted.items():
        if name not in limits:
            raise InvalidError(name, f"only the limits {', '.join(limits)}")
        if not 0 <= value <= MAX_LIMITS[name]:
            raise InvalidError(name, f"0 to {MAX_LIMITS[name]}")
        limits[name] = value or limits[name]
    return limits
