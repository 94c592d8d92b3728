"""The King Is Dead, one turn at a time: of all ways to play each card, and to pass, the one that
leaves the best table.

Imports are relative because the arena runs the bot's folder on its own.
"""

from __future__ import annotations

from bots.sdk import Answer, Bot, Turn
from engine_service.catalogue import game

from .turns import decide
from .worth import Judge

KING_IS_DEAD = game("king_is_dead")


class Policy(Bot):
    """Plays what leaves the table that is worth most."""

    def choose(self, turn: Turn) -> Answer:
        """The best of the legal actions; of equals the first."""
        view = KING_IS_DEAD.view_from_plain(turn.view)
        action, worth = decide(view.table, turn.ids, Judge.of(view))
        return Answer(action, note=f"expects a credit of {worth:.3f}")
