"""The King Is Dead, one turn at a time: of all ways to play each card, and to pass, the one that
leaves the best table.

Imports are relative because the arena runs the bot's folder on its own.
"""

from __future__ import annotations

from bots.sdk import Answer, Bot, Turn
from engine_service.catalogue import game
from engine_service.games.king_is_dead.cards import PLOT

from .turns import decide

KING_IS_DEAD = game("king_is_dead")


class Policy(Bot):
    """Plays what leaves the table that is worth most."""

    def choose(self, turn: Turn) -> Answer:
        """The best of the legal actions; of equals the first."""
        table = KING_IS_DEAD.view_from_plain(turn.view).table
        plots = tuple(int(PLOT in hand) for hand in turn.view["hands"])
        action, value = decide(table, turn.ids, plots)
        return Answer(action, note=f"expects a credit of {value:.3f}")
