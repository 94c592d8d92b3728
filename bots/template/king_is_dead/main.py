"""A bot to start from: it makes the faction rule that its court has most followers of."""

from bots.sdk import Answer, Bot, Turn, run

FACTIONS = "SWE"


class MyBot(Bot):
    """One object per match; `self.hello` says the seat, the options and the limits."""

    def choose(self, turn: Turn) -> Answer:
        """Return an action of `turn.legal`; `turn.view` is what this seat may see."""
        court = turn.view["courts"][self.hello.seat]
        favourite = FACTIONS[court.index(max(court))]
        best = max(turn.legal, key=lambda action: worth(action, favourite))
        return Answer(best, note=f"{favourite} shall rule")


def worth(action: str, favourite: str) -> int:
    """A card, an effect or a summons: what it does for the faction."""
    kind, *words = action.split()
    if kind == "play":
        return 2 if words[0] == f"support-{favourite.lower()}" else 1
    if kind == "summon":
        return int(words[1] == favourite)
    if kind == "place":
        return words[0].count(favourite)
    return 0  # a pass comes after every card


if __name__ == "__main__":
    run(MyBot)
