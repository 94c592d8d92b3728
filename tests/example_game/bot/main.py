"""Bids what won the most points when matches that fit its view were played out at random."""

from random import Random

from bots.sdk import Bot, Hello, Turn, run
from engine_service.catalogue import game

PLAYOUTS = 20


class Bidder(Bot):
    """Thinks with the rules of the game, which an arena lays out beside the bot."""

    def __init__(self, hello: Hello) -> None:
        """Look the rules up and seed the generator."""
        super().__init__(hello)
        self.game = game(hello.game)
        self.random = Random(int(hello.seed, 16))

    def choose(self, turn: Turn) -> int:
        """The bid with the most points over all playouts."""
        view = self.game.view_from_plain(turn.view)
        won = dict.fromkeys(turn.ids, 0)
        for _ in range(PLAYOUTS):
            state = self.game.determinize(view, self.random)
            for bid in turn.ids:
                won[bid] += self._points(self.game.apply(state, bid))
        return max(won, key=won.__getitem__)

    def _points(self, state: object) -> int:
        while legal := self.game.legal_actions(state):
            state = self.game.apply(state, self.random.choice(legal))
        result = self.game.result(state)
        points: list[int] = result.score["points"] if result else []
        return points[self.hello.seat]


if __name__ == "__main__":
    run(Bidder)
