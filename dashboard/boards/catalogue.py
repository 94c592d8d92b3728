"""Which board draws which game. A game that is not listed comes from elsewhere: it is text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.boards import (
    claim,
    claim_story,
    hidden_leaders_duel,
    king_is_dead,
    king_story,
    leaders_story,
    text,
)

View = Mapping[str, Any]
Render = Callable[[View, Mapping[str, Any] | None, Sequence[str]], str]
Step = Callable[[View, View], str]


def _silent(before: View, after: View) -> str:
    return ""


@dataclass(frozen=True)
class Board:
    """How a game is shown: the picture, what a ply brought about, and marks for the slider."""

    render: Render
    outcome: Step = _silent
    mark: Step = _silent


_BOARDS = {
    "claim": Board(claim.render, claim_story.outcome, claim_story.mark),
    "hidden_leaders_duel": Board(
        hidden_leaders_duel.render, leaders_story.outcome, leaders_story.mark
    ),
    "king_is_dead": Board(king_is_dead.render, king_story.outcome, king_story.mark),
}
_TEXT = Board(text.render)


def board(game: str) -> Board:
    """The game's own board, or the text board."""
    return _BOARDS.get(game, _TEXT)
