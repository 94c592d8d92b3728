"""Hidden Leaders: Duel: a quick player that each seat can be, and what it tells of a rival."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bots.baselines.greedy.hidden_leaders_duel import Table
from bots.playouts import Playouts
from bots.playouts.hidden_leaders_duel.belief import Belief
from bots.playouts.hidden_leaders_duel.board import Board
from bots.playouts.hidden_leaders_duel.playout import leaning, play_out
from bots.playouts.hidden_leaders_duel.standing import make_room
from engine_service.games.hidden_leaders_duel.actions import decode, text
from engine_service.games.hidden_leaders_duel.plain import view_to_plain
from engine_service.games.hidden_leaders_duel.state import State, View


def impressions(view: View, seat: int, actions: Sequence[int]) -> list[float]:
    """What greedy expects of each action."""
    table = Table(view_to_plain(view), seat)
    return table.worth(view.step, [text(decode(action)) for action in actions])


def belief(view: View, seat: int) -> Callable[[Random], State]:
    """Matches that fit the view, for one decision."""
    make_room()
    return Belief(view, seat).draw


PLAYOUTS = Playouts(impressions, Board, leaning, play_out, belief)
