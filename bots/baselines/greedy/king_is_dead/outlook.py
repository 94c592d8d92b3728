"""Who may rule Britain: how open regions may fall, which faction may come first.

Nothing is searched here: the farther a struggle and the more cards are left to play, the less the
followers that stand in a region say about it.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, sqrt
from typing import NamedTuple

from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.cards import HAND
from engine_service.games.king_is_dead.state import Table
from engine_service.games.king_is_dead.turns import INSTABILITY

CERTAIN = 3.0  # how much one follower more says when no card is left
CHANGE = 0.6  # how much a card blurs it, shared among the open regions
SPREAD = 0.6  # of the factions' regions, in standard deviations, when chances are made of them

Chances = tuple[float, float, float, float]  # S, W, E, unstable


class Outlook(NamedTuple):
    """`first` by faction: the chance to control most regions; `invasion`: the chance of one."""

    first: tuple[float, float, float]
    invasion: float


def outlook(table: Table) -> Outlook:
    """What the board promises."""
    chances = [fall(table.regions[region], sharpness) for region, sharpness in _upcoming(table)]
    unstable = _at_least(INSTABILITY - table.discs.count(b.UNSTABLE), [c[3] for c in chances])
    means = [
        table.discs.count(faction) + sum(c[place] for c in chances)
        for place, faction in enumerate(b.FACTIONS)
    ]
    variance = sum(p * (1 - p) for c in chances for p in c[:3])
    return Outlook(_first(means, variance), unstable)


def cards_left(table: Table) -> int:
    """In all hands together, secret ones that are never played among them."""
    return table.seats * HAND - sum(map(len, table.discards))


def _upcoming(table: Table) -> list[tuple[int, float]]:
    """The open regions with the sharpness of what can be said of them, soonest first."""
    row = table.row[table.resolved :]
    pace = CHANGE * cards_left(table) / max(1, len(row))
    return [(region, CERTAIN / (1 + pace * (wait + 1) / 2)) for wait, region in enumerate(row)]


@lru_cache(maxsize=1 << 16)
def fall(followers: int, sharpness: float) -> Chances:
    """How a region with these followers may fall."""
    counts = b.counts(followers)
    top, second, _ = sorted(counts, reverse=True)
    weights = [exp(sharpness * (count - top)) if count else 0.0 for count in counts]
    tie = sharpness * exp(sharpness * (second - top))
    whole = sum(weights) + tie
    s, w, e = (weight / whole for weight in weights)
    return s, w, e, tie / whole


def _at_least(number: int, chances: list[float]) -> float:
    """The chance that so many of independent events come."""
    if number <= 0:
        return 1.0
    exactly = [1.0] + [0.0] * (number - 1)
    reached = 0.0
    for chance in chances:
        reached += exactly[-1] * chance
        for count in range(number - 1, 0, -1):
            exactly[count] += (exactly[count - 1] - exactly[count]) * chance
        exactly[0] *= 1 - chance
    return reached


def _first(means: list[float], variance: float) -> tuple[float, float, float]:
    """The chance of each faction to have most regions."""
    spread = SPREAD * sqrt(0.1 + variance)
    top = max(means)
    weights = [exp((mean - top) / spread) for mean in means]
    s, w, e = (weight / sum(weights) for weight in weights)
    return s, w, e
