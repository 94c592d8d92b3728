"""What a table is worth to a seat: its credit as it may be expected, from 0 to 1."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import exp
from typing import NamedTuple

from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.cards import HAND
from engine_service.games.king_is_dead.ending import teams_of
from engine_service.games.king_is_dead.state import Table

from .outlook import outlook

SECOND = 0.3  # a follower of the second faction, in followers of the first
CARD = 0.7  # a card in hand, likewise
CARDS_A_REGION = 2  # more than so many for each open region may stay in hand
DOUBT = 0.5  # how far ahead is how good, in followers, when no card is left
DOUBT_A_CARD = 0.15
PART_OF_SET = 0.3  # a second colour where a set lacks two
LAST_CARD = 0.2  # the more recent last card, in sets

_ORDERS = tuple(permutations(range(len(b.FACTIONS)), 2))


class Holdings(NamedTuple):
    """By seat: the court, cards in hand that can be played, Plot (0 or 1), the last card."""

    courts: tuple[int, ...]
    cards: tuple[int, ...]
    plots: tuple[int, ...]
    last_cards: tuple[int, ...]
    open_regions: int


def worth(table: Table, seat: int, plots: tuple[int, ...]) -> float:
    """The expected credit of the seat; `plots` by seat: whether it is known to hold Plot."""
    holdings = Holdings(
        courts=table.courts,
        cards=tuple(
            HAND - len(played) - plot for played, plot in zip(table.discards, plots, strict=True)
        ),
        plots=plots,
        last_cards=table.last_cards,
        open_regions=len(table.row) - table.resolved,
    )
    crowned, invaded = prospects(holdings, seat)
    first, invasion = outlook(table)
    coronation = sum(
        first[one] * first[two] / max(1e-9, 1 - first[one]) * credit
        for (one, two), credit in zip(_ORDERS, crowned, strict=True)
    )
    return (1 - invasion) * coronation + invasion * invaded


@lru_cache(maxsize=1 << 14)
def prospects(holdings: Holdings, seat: int) -> tuple[tuple[float, ...], float]:
    """The credit by first and second faction, as in `_ORDERS`, and after an invasion."""
    sides = _sides(len(holdings.courts), seat)
    crowned = tuple(_crowned(holdings, sides, one, two) for one, two in _ORDERS)
    return crowned, _invaded(holdings, sides)


@lru_cache(maxsize=64)
def _sides(seats: int, seat: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each team, the seat's own first."""
    teams = teams_of(seats)
    order = sorted(set(teams), key=lambda team: team != teams[seat])
    return tuple(tuple(s for s in range(seats) if teams[s] == team) for team in order)


def _crowned(holdings: Holdings, sides: tuple[tuple[int, ...], ...], one: int, two: int) -> float:
    def claim(seat: int) -> float:
        followers = b.counts(holdings.courts[seat])
        cards = min(holdings.cards[seat], CARDS_A_REGION * holdings.open_regions)
        plot = holdings.plots[seat]
        return followers[one] + plot + SECOND * followers[two] + CARD * cards

    own, *others = (max(map(claim, side)) for side in sides)
    doubt = DOUBT + DOUBT_A_CARD * sum(holdings.cards) / len(holdings.cards)
    return _credit([(own - other) / doubt for other in others])


def _invaded(holdings: Holdings, sides: tuple[tuple[int, ...], ...]) -> float:
    def claim(side: tuple[int, ...]) -> float:
        low, middle, _ = sorted(b.counts(sum(holdings.courts[seat] for seat in side)))
        plot = sum(holdings.plots[seat] for seat in side)
        latest = max(holdings.last_cards) in (holdings.last_cards[seat] for seat in side)
        return low + PART_OF_SET * min(1, middle - low) + plot * PART_OF_SET + LAST_CARD * latest

    own, *others = map(claim, sides)
    return _credit([(own - other) / DOUBT for other in others])


def _credit(leads: list[float]) -> float:
    return sum(1 / (1 + exp(-min(30.0, max(-30.0, lead)))) for lead in leads) / len(leads)
