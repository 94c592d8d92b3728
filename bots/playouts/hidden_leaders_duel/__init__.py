"""Hidden Leaders: Duel: a quick player that each seat can be, and what it tells of a rival."""

from __future__ import annotations

from collections.abc import Sequence

from bots.baselines.greedy.hidden_leaders_duel import Table
from bots.playouts import Playouts
from bots.playouts.hidden_leaders_duel.belief import Belief
from bots.playouts.hidden_leaders_duel.board import Board
from bots.playouts.hidden_leaders_duel.playout import play_out
from engine_service.games.hidden_leaders_duel.actions import decode, text
from engine_service.games.hidden_leaders_duel.plain import view_to_plain
from engine_service.games.hidden_leaders_duel.state import View


def impressions(view: View, seat: int, actions: Sequence[int]) -> list[float]:
    """What greedy expects of each action."""
    table = Table(view_to_plain(view), seat)
    return table.worth(view.step, [text(decode(action)) for action in actions])


PLAYOUTS = Playouts(impressions, Board, play_out, lambda view, seat: Belief(view, seat).draw)
