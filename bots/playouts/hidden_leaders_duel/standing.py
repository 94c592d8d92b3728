"""Hidden Leaders: Duel: how one faction stands as a seat sees it, and what that brings.

The measure is greedy's. Of what is not seen only numbers and sums are kept, so that standings that
are alike are judged once.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from statistics import fmean, pvariance
from typing import NamedTuple

from bots.baselines.greedy.hidden_leaders_duel import (
    TURN_HEROES,
    TURN_INFLUENCE,
    TURN_PRESENCE,
    chances,
)
from engine_service.games.hidden_leaders_duel.actions import COUNCIL
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.state import Leader, Options

OWN, ACROSS = 0, 1  # the row that a hero is laid in, as its seat sees it
BACK = 4  # a back in `Hidden.backs`; one without a faction is a quarter of one in each


class Hidden(NamedTuple):
    """What the seat does not see of the faction.

    `number`, `total` and `squares` (sums of strengths) of the heroes that lie nowhere in sight, the
    `backs` in the rival's Council, and what the rival's leader may bring and belongs to.
    """

    number: int
    total: int
    squares: int
    backs: int
    leader: float
    leader_variance: float
    belongs: float

    @property
    def mean(self) -> float:
        """The strength to expect of a back."""
        return self.total / self.number if self.number else 0.0

    def seen(self, strength: int) -> Hidden:
        """One less."""
        return Hidden(
            self.number - 1,
            self.total - strength,
            self.squares - strength * strength,
            self.backs,
            self.leader,
            self.leader_variance,
            self.belongs,
        )


# How many heroes more lie in the own row; the strength there and across of those that are seen; how
# many are not seen there and across; the own influence and presence.
Standing = tuple[int, float, float, int, int, float, bool, Hidden]


@lru_cache(maxsize=8)
def at_first(own: Leader, options: Options) -> tuple[Standing, ...]:
    """By faction, as the seat of that leader sees it before any hero is counted."""
    found = list[Standing]()
    others = [leader for leader in options.leaders if leader != own]
    for faction in FACTIONS:
        deck = [STRENGTH[hero] for hero in options.deck if hero[0] == faction]
        values = [float(leader.value * (faction in leader.factions)) for leader in others]
        hidden = Hidden(
            number=len(deck),
            total=sum(deck),
            squares=sum(one * one for one in deck),
            backs=0,
            leader=fmean(values),
            leader_variance=pvariance(values),
            belongs=fmean(faction in leader.factions for leader in others),
        )
        present = faction in own.factions
        found.append((0, 0, 0, 0, 0, own.value * present, present, hidden))
    return tuple(found)


def way_of(seat: int, target: int) -> int:
    """COUNCIL, OWN or ACROSS."""
    return COUNCIL if target == COUNCIL else int(target // ROW_SLOTS != seat)


def laid(standing: Standing, way: int, strength: float, sign: int = 1) -> Standing:
    """With a hero more whose strength is seen, or one less."""
    heroes, own, across, own_backs, across_backs, influence, present, hidden = standing
    if way == COUNCIL:
        return heroes, own, across, own_backs, across_backs, influence + strength, True, hidden
    if way == OWN:
        heroes, own = heroes + sign, own + sign * strength
    else:
        heroes, across = heroes - sign, across + sign * strength
    return heroes, own, across, own_backs, across_backs, influence, present, hidden


def laid_unseen(standing: Standing, way: int, sign: int = 1) -> Standing:
    """With a back more in a row, or one less."""
    heroes, own, across, own_backs, across_backs, influence, present, hidden = standing
    if way == OWN:
        heroes, own_backs = heroes + sign, own_backs + sign
    else:
        heroes, across_backs = heroes - sign, across_backs + sign
    return heroes, own, across, own_backs, across_backs, influence, present, hidden


def with_hidden(standing: Standing, hidden: Hidden) -> Standing:
    """The same rows, but more or less is known."""
    heroes, own, across, own_backs, across_backs, influence, present, _ = standing
    return heroes, own, across, own_backs, across_backs, influence, present, hidden


@lru_cache(maxsize=1 << 16)
def brings(standing: Standing, turns_left: int) -> float:
    """As greedy's `brings`."""
    heroes, own, across, own_backs, across_backs, influence, present, hidden = standing
    mean, share = hidden.mean, hidden.backs / BACK
    variance = hidden.squares / hidden.number - mean * mean if hidden.number else 0.0
    lead = influence - share * mean - hidden.leader
    to_come = turns_left * TURN_INFLUENCE**2 / 2
    more, less = chances(lead, sqrt(share * variance + hidden.leader_variance + to_come))
    larger, smaller = chances(heroes, TURN_HEROES * sqrt(turns_left))
    exchanged = more * smaller + less * larger
    come: float = 1 - (1 - TURN_PRESENCE) ** (turns_left / 2)
    mine, theirs = 1.0 if present else come, max(hidden.belongs, min(1.0, share), come)
    own, across = own + own_backs * mean, across + across_backs * mean
    stays = mine * own - theirs * across
    return stays + exchanged * (mine * across - theirs * own - stays)


@lru_cache(maxsize=1 << 16)
def gain(standing: Standing, way: int, strength: float, turns_left: int) -> float:
    """What it brings to lay down a hero of that strength."""
    return brings(laid(standing, way, strength), turns_left) - brings(standing, turns_left)
