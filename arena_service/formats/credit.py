"""The points of a standing, and won, drawn or lost; the ranks' worth is the engine's formula."""

from __future__ import annotations

from enum import StrEnum

from engine_service.core.credit import credits_of

__all__ = ["Fared", "credits_of", "fared"]


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
