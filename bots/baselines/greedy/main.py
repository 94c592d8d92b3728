"""Looks one turn ahead, in each game by a measure of its own; the policies lie beside this file."""

from __future__ import annotations

from importlib import import_module

from bots.sdk import Answer, Bot, Hello, Resign, Turn, run

POLICIES = {  # by game the module with its `Policy`; a start pays for that one only
    "claim": "claim",
    "king_is_dead": "king_is_dead",
    "hidden_leaders_duel": "hidden_leaders_duel",
}


class Greedy(Bot):
    """Plays by the policy of the game."""

    def __init__(self, hello: Hello) -> None:
        """Load the policy."""
        super().__init__(hello)
        # In the arena this file is the program, and what lies beside it is at the top.
        package = f"{__package__}." if __package__ else ""
        self.policy: Bot = import_module(package + POLICIES[hello.game]).Policy(hello)

    def choose(self, turn: Turn) -> str | int | Answer | Resign:
        """The policy's decision."""
        return self.policy.choose(turn)


if __name__ == "__main__":
    run(Greedy)
