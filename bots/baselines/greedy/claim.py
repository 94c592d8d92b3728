"""What greedy knows about Claim: the deck, who wins a trick, and what is still undecided."""

from __future__ import annotations

FACTIONS = "GKUDX"
VALUES = {"G": [0] * 5 + list(range(1, 10)), "K": list(range(2, 10))}
DECK = [f"{f}{v}" for f in FACTIONS for v in VALUES.get(f, list(range(10)))]


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
