"""Claim, one trick at a time: win what is worth winning with the cheapest card, else lose cheaply.

Phase 1 weighs the prize against the average hidden card, and the Undead in the trick. In phase 2
the other hand can be deduced, so a lead is judged by the answer that suits the other seat best.
"""

from __future__ import annotations

from bots.sdk import Answer, Bot, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FACTIONS = "GKUDX"
VALUES = {"G": [0] * 5 + list(range(1, 10)), "K": list(range(2, 10))}
DECK = [f"{f}{v}" for f in FACTIONS for v in VALUES.get(f, list(range(10)))]

UNDEAD_POINTS = 12.0  # an Undead scored in phase 1, in points of card strength, at full stake
CARD_POINTS = 0.35  # what keeping a point of strength for later tricks is worth
TRICK_POINTS = 0.3  # the same in phase 2, in points of stakes


class Policy(Bot):
    """Looks at one trick, forgets nothing that was public."""

    def choose(self, turn: Turn) -> Answer:
        """The card with the best expected trick."""
        table = Table(turn.view, self.hello.seat)
        worth = {card: table.worth(card) for card in turn.legal}
        best = max(turn.legal, key=worth.__getitem__)
        return Answer(best, note=f"worth {worth[best]:.2f}")


class Table:
    """One decision as a seat sees it."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        """Sort the view into mine, theirs and unseen."""
        other = 1 - seat
        self.phase: int = view["phase"]
        self.prize: str = view["prize"]
        self.led: str = view["led"]
        self.hand: list[str] = view["hands"][seat]
        scored = view["scored"]
        table = [card for card in (self.led, self.prize) if card]
        mine, theirs = view["followers"] if self.phase == 1 else ([], [])
        recruited = [*mine, *theirs]
        known = self.hand + scored[0] + scored[1] + view["discarded"] + recruited
        self.unseen = without(DECK, known + table)
        self.their_size: int = view["hand_sizes"][other]
        left = self.unseen + self.hand + recruited + table
        self.stakes = stakes(scored[seat], scored[other], left)

    def worth(self, card: str) -> float:
        """What playing a card brings, in points that only compare within one decision."""
        return self._recruiting(card) if self.phase == 1 else self._gathering(card)

    def _recruiting(self, card: str) -> float:
        hidden = sum(map(strength, self.unseen)) / max(1, len(self.unseen))
        gain = strength(self.prize) - hidden
        cost = CARD_POINTS * strength(card)
        if self.led:
            trick = self._undead(self.led) + self._undead(card)
            return (gain + trick if beats(card, self.led) else -gain - trick) - cost
        chance = self._chance_to_win(card)
        return (2 * chance - 1) * (gain + self._undead(card)) - cost

    def _undead(self, card: str) -> float:
        return UNDEAD_POINTS * self.stakes["U"] if card[0] == "U" else 0.0

    def _chance_to_win(self, led: str) -> float:
        """The chance that the other hand, drawn from the unseen cards, holds no winning answer."""
        winners = sum(beats(card, led) for card in self.unseen)
        total, chance = len(self.unseen), 1.0
        for drawn in range(min(self.their_size, total)):
            chance *= max(0, total - winners - drawn) / (total - drawn)
        return chance

    def _gathering(self, card: str) -> float:
        if self.led:
            return self._trick(card, self.led, beats(card, self.led)) - self._keep(card)
        answers = replies(self.unseen, card)
        brings = [self._trick(card, reply, not beats(reply, card)) for reply in answers]
        return min(brings, default=0.0) - self._keep(card)

    def _trick(self, mine: str, theirs: str, won: bool) -> float:
        """Stakes of the two cards: to the winner, Dwarves to the loser."""
        sign = 1.0 if won else -1.0
        return sum((-sign if c[0] == "D" else sign) * self.stakes[c[0]] for c in (mine, theirs))

    def _keep(self, card: str) -> float:
        return TRICK_POINTS * strength(card) / 10


def strength(card: str) -> float:
    """How useful a card is in a hand."""
    return number(card) + {"K": 2.0, "X": 1.0}.get(card[0], 0.0)


def number(card: str) -> int:
    """The 7 of `G7`."""
    return int(card[1:])


def beats(reply: str, led: str) -> bool:
    """Whether the answering card wins the trick."""
    if reply[0] in (led[0], "X"):
        return number(reply) > number(led)
    return led[0] == "G" and reply[0] == "K"


def replies(hand: list[str], led: str) -> list[str]:
    """The cards of a hand that may answer `led`."""
    if any(card[0] == led[0] for card in hand):
        return [card for card in hand if card[0] in (led[0], "X")]
    return hand


def without(cards: list[str], gone: list[str]) -> list[str]:
    """`cards` less each card of `gone` once (the five G0 are alike)."""
    rest = list(cards)
    for card in gone:
        if card in rest:
            rest.remove(card)
    return rest


def stakes(mine: list[str], theirs: list[str], left: list[str]) -> dict[str, float]:
    """What one more card of each faction is worth to me: nothing in a faction that is decided.

    `left` are the cards that may still be scored. The closer the faction and the fewer cards are
    left, the more a single one counts.
    """
    return {faction: _stake(faction, mine, theirs, left) for faction in FACTIONS}


def _stake(faction: str, mine: list[str], theirs: list[str], left: list[str]) -> float:
    ahead = count(mine, faction) - count(theirs, faction)
    open_cards = count(left, faction)
    if abs(ahead) > open_cards:
        return 0.0
    return 1.0 / (2 + open_cards + abs(ahead))


def count(cards: list[str], faction: str) -> int:
    """How many cards of a faction."""
    return sum(card[0] == faction for card in cards)
