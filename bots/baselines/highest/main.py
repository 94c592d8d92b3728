"""Always the legal card with the highest number."""

from bots.sdk import Bot, Turn, run


class Highest(Bot):
    """Tries to win every trick, whatever it brings."""

    def choose(self, turn: Turn) -> str:
        """The highest number; of equal ones the first in the list."""
        return max(turn.legal, key=lambda card: int(card[1:]))


if __name__ == "__main__":
    run(Highest)
