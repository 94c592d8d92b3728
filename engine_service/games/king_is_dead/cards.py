"""The action cards by name, and what each seat starts with."""

from __future__ import annotations

from collections.abc import Iterable

SUPPORTS = ("support-s", "support-w", "support-e")
COMMON = ("assemble", "negotiate", "manoeuvre", "outmanoeuvre")
CUNNING = (
    "spy",
    "ambush",
    "march",
    "plot",
    "aid",
    "influence",
    "dispute",
    "edict",
    "resist",
    "quell",
    "muster",
    "suppress",
)
CARDS = (*SUPPORTS, *COMMON, *CUNNING)

PLOT = "plot"  # never played, counts at the end
SPY = "spy"
SWAPS_NOT_TO_UNDO = ("manoeuvre", "outmanoeuvre")

HAND = 8
SECRETS = 3  # cunning cards of a seat
KNOWN_SETS = {
    "basic": (*SUPPORTS, "assemble", *COMMON),
    "cunning": ("assemble", *COMMON),
}

_ORDER = {card: place for place, card in enumerate(CARDS)}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Sorted as in `CARDS`, so that the order tells nothing."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def without(cards: Iterable[str], gone: Iterable[str]) -> list[str]:
    """What is left when each card of `gone` is taken out once, as far as it is there."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return left
