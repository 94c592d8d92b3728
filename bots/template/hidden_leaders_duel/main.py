"""A bot to start from: strong heroes of its leader's factions go to its row and its Council."""

from typing import Any

from bots.sdk import Answer, Bot, Turn, run

ROW_SLOTS = 7


class MyBot(Bot):
    """One object per match; `self.hello` says the seat, the options and the limits."""

    def choose(self, turn: Turn) -> Answer:
        """Return an action of `turn.legal`; `turn.view` is what this seat may see."""
        table = Table(turn.view, self.hello.seat)
        judge = {"take": table.taking, "return": table.returning, "play": table.playing}
        best = max(turn.legal, key=lambda action: judge[turn.view["step"]](action.split()[1:]))
        return Answer(best, note=f"for {table.factions}")


class Table:
    """One decision: the leader's factions, the own row, and what lies where."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        """Keep what the decision needs."""
        self.factions: str = view["leaders"][seat]
        self.seat = seat
        self.slots: list[str] = [slot["hero"] for slot in view["slots"]]

    def taking(self, slots: list[str]) -> float:
        """Heroes that lie in the wrong row."""
        return -sum(self._worth(self.slots[int(slot)], slot) for slot in slots)

    def returning(self, placed: list[str]) -> float:
        """Such as `R5@3 G2@9`."""
        return sum(self._worth(*one.split("@")) for one in placed)

    def playing(self, play: list[str]) -> float:
        """Such as `R5 council` or `R5 block 4`."""
        hero, target = play[0], play[-1]
        return self._worth(hero, str(self.seat * ROW_SLOTS) if target == "council" else target)

    def _worth(self, hero: str, slot: str) -> float:
        """The strength of an own faction in the own row, of another one in the other row."""
        strength = 4.0 if "?" in hero else float(hero[1:])
        return strength if (hero[0] in self.factions) == self._own(slot) else -strength

    def _own(self, slot: str) -> bool:
        return int(slot) // ROW_SLOTS == self.seat


if __name__ == "__main__":
    run(MyBot)
