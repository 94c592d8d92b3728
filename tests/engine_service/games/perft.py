"""Counts the ways that the plies can go."""

from __future__ import annotations

from typing import Any

from engine_service.core.game import Game


def count(game: Game, state: Any, depth: int) -> int:
    """The number of sequences of `depth` plies; the last ply is counted, not played."""
    legal = game.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(count(game, game.apply(state, action), depth - 1) for action in legal)


def split(game: Game, state: Any, depth: int) -> str:
    """The same by the first action, for the message of a wrong count."""
    counts = {
        action: 1 if depth == 1 else count(game, game.apply(state, action), depth - 1)
        for action in game.legal_actions(state)
    }
    return " ".join(f"{game.notation(action)}:{number}" for action, number in counts.items())
