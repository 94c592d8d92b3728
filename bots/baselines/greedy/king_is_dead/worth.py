"""What a table is worth to a seat: the credit it may expect, from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import exp
from typing import NamedTuple

from engine_service.core.credit import credits_of
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.cards import HAND, PLOT
from engine_service.games.king_is_dead.ending import result, teams_of
from engine_service.games.king_is_dead.state import OVER, Options, State, Table, View

from .outlook import Outlook, outlook

SECOND = 0.3  # a follower of the second faction, in followers of the first
CARD = 0.7  # a card in hand, likewise
PARTNER = 0.5  # how much the lesser court of two partners says beside the better one
SUMMONED = 0.8  # a card in hand, in followers that fill up sets
DOUBT = 0.5  # how far ahead is how good, in followers or sets, when no card is left
DOUBT_A_CARD = 0.15
LAST_CARD = 0.2  # the more recent last card, in sets

_ORDERS = tuple(permutations(range(len(b.FACTIONS)), 2))

Sides = tuple[tuple[int, ...], ...]  # the seats of each, the own side first


class Holdings(NamedTuple):
    """By seat: the court, cards in hand that can be played, Plot (0 or 1), the last card."""

    courts: tuple[int, ...]
    cards: tuple[int, ...]
    plots: tuple[int, ...]
    last_cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges for one seat; `plots` by seat: 1 where it is known to hold Plot."""

    seat: int
    options: Options
    plots: tuple[int, ...]

    @classmethod
    def of(cls, view: View) -> Judge:
        """For the viewer."""
        return cls(view.viewer, view.options, tuple(int(PLOT in hand) for hand in view.hands))

    def cards(self, table: Table, seat: int) -> int:
        """How many cards the seat may still play."""
        return cards_of(table, self.plots, seat)

    def worth(self, table: Table) -> float:
        """The credit at the end, before it what may be expected."""
        if table.stage == OVER:
            return self._credit(table)
        return expected(holdings_of(table, self.plots), outlook(table), self.seat)

    def _credit(self, table: Table) -> float:
        secrets = tuple((PLOT,) * plot for plot in self.plots)
        end = result(State(self.options, table, secrets))
        assert end is not None, "the game is over"
        return credits_of(end.ranks, teams_of(table.seats))[self.seat]


def cards_of(table: Table, plots: tuple[int, ...], seat: int) -> int:
    """How many cards the seat may still play."""
    return HAND - len(table.discards[seat]) - plots[seat]


def holdings_of(table: Table, plots: tuple[int, ...]) -> Holdings:
    """`plots` by seat: 1 where it holds Plot."""
    cards = tuple(cards_of(table, plots, seat) for seat in range(table.seats))
    return Holdings(table.courts, cards, plots, table.last_cards)


def expected(holdings: Holdings, board: Outlook, seat: int) -> float:
    """The credit that the seat may expect, before the end."""
    crowned, invaded = prospects(holdings, seat)
    first, invasion = board
    coronation = sum(
        first[one] * first[two] / max(1e-9, 1 - first[one]) * credit
        for (one, two), credit in zip(_ORDERS, crowned, strict=True)
    )
    return (1 - invasion) * coronation + invasion * invaded


@lru_cache(maxsize=1 << 14)
def prospects(holdings: Holdings, seat: int) -> tuple[tuple[float, ...], float]:
    """The credit by first and second faction, as in `_ORDERS`, and after an invasion."""
    sides = _sides(len(holdings.courts), seat)
    doubt = DOUBT + DOUBT_A_CARD * sum(holdings.cards) / len(holdings.cards)
    crowned = tuple(
        _chance_to_lead([_crown(holdings, side, one, two) for side in sides], doubt)
        for one, two in _ORDERS
    )
    invaded = _chance_to_lead([_sets(holdings, side) for side in sides], doubt)
    return crowned, invaded


@lru_cache(maxsize=64)
def _sides(seats: int, seat: int) -> Sides:
    teams = teams_of(seats)
    order = sorted(set(teams), key=lambda team: team != teams[seat])
    return tuple(tuple(s for s in range(seats) if teams[s] == team) for team in order)


def _chance_to_lead(claims: list[float], doubt: float) -> float:
    """The mean chance of the first to be above another."""
    own, *others = claims
    leads = [max(-30.0, min(30.0, (own - other) / doubt)) for other in others]
    return sum(1 / (1 + exp(-lead)) for lead in leads) / len(leads)


def _crown(holdings: Holdings, side: tuple[int, ...], one: int, two: int) -> float:
    """The followers of its best court, and those its cards may summon; less of its other one."""

    def court(seat: int) -> float:
        followers = b.counts(holdings.courts[seat])
        return (
            followers[one]
            + holdings.plots[seat]
            + SECOND * followers[two]
            + CARD * holdings.cards[seat]
        )

    best, *lesser = sorted(map(court, side), reverse=True)
    return best + PARTNER * sum(lesser)


def _sets(holdings: Holdings, side: tuple[int, ...]) -> float:
    """The sets of its courts together, filled up by cards to come."""
    counts = sorted(b.counts(sum(holdings.courts[seat] for seat in side)))
    spare = sum(holdings.plots[seat] + SUMMONED * holdings.cards[seat] for seat in side) + 0.5
    latest = max(holdings.last_cards) in (holdings.last_cards[seat] for seat in side)
    return filled(counts, spare) + LAST_CARD * latest


def filled(counts: list[int], spare: float) -> float:
    """How high the lowest of ascending counts come when `spare` is shared among them."""
    return min((sum(counts[:lowest]) + spare) / lowest for lowest in (1, 2, 3))
