"""A bot to start from: it wins a trick with its lowest winning card, or loses its lowest card."""

from bots.sdk import Answer, Bot, Turn, run


class MyBot(Bot):
    """One object per match; `self.hello` says the seat, the options and the limits."""

    def choose(self, turn: Turn) -> str | Answer:
        """Return a card of `turn.legal`; `turn.view` is what this seat may see."""
        led = turn.view["led"]
        if not led:
            return max(turn.legal, key=number)
        winners = [card for card in turn.legal if beats(card, led)]
        if winners:
            return Answer(min(winners, key=number), note=f"{led} can be beaten")
        return min(turn.legal, key=number)


def number(card: str) -> int:
    """The 7 of `G7`."""
    return int(card[1:])


def beats(card: str, led: str) -> bool:
    """A card of the led faction or a Doppelganger wins by number; a Knight wins over a Goblin."""
    if card[0] == "K" and led[0] == "G":
        return True
    return card[0] in (led[0], "X") and number(card) > number(led)


if __name__ == "__main__":
    run(MyBot)
