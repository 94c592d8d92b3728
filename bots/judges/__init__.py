"""What states promise, by game: for a search that need not play every match to its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

Credits = tuple[float, ...]  # by seat, from 0 for the worst to 1


@dataclass(frozen=True, slots=True)
class Judge:
    """`promise` is of a full state in which somebody may act.

    `own_turn`: a search ends where another seat is to act. In its determinizations the others hold
    what they may hold, but the searching seat what it does hold: they would play as if they saw it.
    Where little is hidden, looking at their replies is worth that.
    """

    promise: Callable[[Any], Credits]
    own_turn: bool = False


JUDGES = {  # by game the module with its `JUDGE`; a start pays for that one only
    "king_is_dead": "king_is_dead",
    "hidden_leaders_duel": "hidden_leaders_duel",
}


def judge_of(game: str) -> Judge | None:
    """None for a game that nobody has written a judge for."""
    if game not in JUDGES:
        return None
    found: Judge = import_module(f"{__name__}.{JUDGES[game]}").JUDGE
    return found
