"""Any legal action, equally likely; the same seed plays the same match."""

from random import Random

from bots.sdk import Bot, Hello, Turn, run


class RandomBot(Bot):
    """Draws from the seed of its hello."""

    def __init__(self, hello: Hello) -> None:
        """Seed the generator."""
        super().__init__(hello)
        self.random = Random(int(hello.seed, 16))

    def choose(self, turn: Turn) -> str:
        """Draw one of the legal actions."""
        return turn.legal[int(self.random.random() * len(turn.legal))]


if __name__ == "__main__":
    run(RandomBot)
