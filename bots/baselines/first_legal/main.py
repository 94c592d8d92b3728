"""Always the first legal action: in Claim the lowest card of a faction, for the king a pass."""

from bots.sdk import Bot, Turn, run


class FirstLegal(Bot):
    """Plays any game, and nothing else is to be said for it."""

    def choose(self, turn: Turn) -> str:
        """Take the first of the list."""
        return turn.legal[0]


if __name__ == "__main__":
    run(FirstLegal)
