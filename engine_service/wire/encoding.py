"""Fast JSON: what is encoded once here is forwarded as bytes."""

from __future__ import annotations

from typing import Any

import msgspec

from engine_service.core.errors import RulesError
from engine_service.core.game import Game, Viewer
from engine_service.core.referee import Position

_encoder = msgspec.json.Encoder()


def to_json(plain: Any) -> bytes:
    """Compact JSON, keys in the order of the data."""
    return _encoder.encode(plain)


def view_json(position: Position, viewer: Viewer) -> bytes:
    """What the viewer may see of a position."""
    game = position.game
    return to_json(game.view_to_plain(game.view(position.state, viewer)))


def parse_viewer(text: str, seats: int) -> Viewer:
    """`spectator`, `all` or the number of a seat; raises RulesError."""
    if text == "spectator":
        return "spectator"
    if text == "all":
        return "all"
    if text.isascii() and text.isdecimal() and text == str(seat := int(text[:3])) and seat < seats:
        return seat
    raise RulesError(f"viewer {text[:20]!r}: expected spectator, all or a seat below {seats}")


def legal_notations(game: Game, ids: list[int]) -> list[str]:
    """In the order of the ids."""
    return [game.notation(action) for action in ids]
