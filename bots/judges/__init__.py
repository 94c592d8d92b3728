"""What states promise, by game: for a search that need not play every match to its end."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Credits = tuple[float, ...]  # by seat, from 0 for the worst to 1
Judge = Callable[[Any], Credits]  # of a full state in which somebody may act

JUDGES = {  # by game the module with its `judge`; a start pays for that one only
    "king_is_dead": "king_is_dead",
    "hidden_leaders_duel": "hidden_leaders_duel",
}


def judge_of(game: str) -> Judge | None:
    """None for a game that nobody has written a judge for."""
    if game not in JUDGES:
        return None
    judge: Judge = import_module(f"{__name__}.{JUDGES[game]}").judge
    return judge
