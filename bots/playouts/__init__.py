"""How seats may play on to the end, by game: for a search whose playouts shall not be random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Protocol

from bots.judges import Credits


class Board(Protocol):
    """A full state that goes on in place."""

    @property
    def actor(self) -> int | None:
        """The seat to act, None at the end."""
        ...

    def copy(self) -> Board:
        """Another that goes its own way."""
        ...

    def act(self, action: int) -> None:
        """A legal action of the seat to act."""
        ...


@dataclass(frozen=True, slots=True)
class Playouts:
    """`impressions`: of a view, its seat and its actions what each is worth, on any scale.

    `board`: a full state to go on with quickly. `leaning`: the actions of the seat to act that are
    worth a thought, each with the chance that it is chosen, by what that seat sees. `play_out`: to
    the end, each seat by what it sees itself; then the credit of each, which may count by how much
    a match is won: that tells more.

    `belief`: of a view and its seat a draw of full states that fit the view, the likelier ones more
    often: the past of the other seats tells what they hold.
    """

    impressions: Callable[[Any, int, Sequence[int]], list[float]]
    board: Callable[[Any], Any]
    leaning: Callable[[Any], Mapping[int, float]]
    play_out: Callable[[Any, Random], Credits]
    belief: Callable[[Any, int], Callable[[Random], Any]]


MODULES = {  # by game the module with its `PLAYOUTS`; a start pays for that one only
    "hidden_leaders_duel": "hidden_leaders_duel",
}


def playouts_of(game: str) -> Playouts | None:
    """None for a game that nobody has written them for."""
    if game not in MODULES:
        return None
    found: Playouts = import_module(f"{__name__}.{MODULES[game]}").PLAYOUTS
    return found
