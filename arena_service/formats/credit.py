"""Ranks of the rules turned into the points of a standing, and into won, drawn or lost."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class Fared(StrEnum):
    """How a match ended for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


def fared(first: bool, credit: float) -> Fared:
    """`first`: no seat is ranked better. Shared with partners alone that is won, else drawn."""
    if not first:
        return Fared.LOST
    return Fared.WON if credit == 1.0 else Fared.DRAWN


def credits_of(ranks: Sequence[int], teams: Sequence[int] | None = None) -> list[float]:
    """Per seat: (opponents ranked worse + half of those ranked equal) / opponents.

    `teams` names the team of every seat: a partner is no opponent.
    """
    sides = list(range(len(ranks))) if teams is None else list(teams)
    credits = []
    for seat, rank in enumerate(ranks):
        rivals = [ranks[i] for i in range(len(ranks)) if sides[i] != sides[seat]]
        points = sum(1.0 if other > rank else 0.5 * (other == rank) for other in rivals)
        credits.append(points / len(rivals))
    return credits
