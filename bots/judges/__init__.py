"""What states promise, by game: for a search that need not play every match to its end."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Credits = tuple[float, ...]  # by seat, from 0 for the worst to 1
Judge = Callable[[Any], Credits]  # of a full state in which somebody may act

JUDGES = {  # by game the module with its `promise`; a start pays for that one only
    "king_is_dead": "king_is_dead",
}


def judge_of(game: str) -> Judge | None:
    """None for a game that nobody has written a judge for."""
    if game not in JUDGES:
        return None
    found: Judge = import_module(f"{__name__}.{JUDGES[game]}").promise
    return found
