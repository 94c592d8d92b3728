"""Hidden Leaders: Duel: how one faction stands as a seat sees it, and what that brings.

The measure is greedy's. Of what is not seen only numbers and sums are kept, so that outlooks that
are alike are judged once. How the rows lie is counted anew each time: there are too many ways.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sqrt
from statistics import fmean, pvariance
from typing import NamedTuple, TypeVar

from bots.baselines.greedy.hidden_leaders_duel import (
    TURN_HEROES,
    TURN_INFLUENCE,
    TURN_PRESENCE,
    chances,
)
from engine_service.games.hidden_leaders_duel.actions import COUNCIL
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.state import HEROES, TURNS, Leader, Options

T = TypeVar("T")

OWN, ACROSS = 0, 1  # the row that a hero is laid in, as its seat sees it
BACK = 4  # a back in `Outlook.backs`; one without a faction is a quarter of one in each
KEPT = 30_000  # outlooks, some 30 MB, before a new decision begins without any

# By turns left, then by how many heroes more lie in the own row (negative ones from the end): the
# chances that it will have more of them, and less.
CHANCES = [
    [
        chances(more, TURN_HEROES * sqrt(turns_left))
        for more in (*range(HEROES + 1), *range(-HEROES, 0))
    ]
    for turns_left in range(TURNS)
]
COME = [1 - (1 - TURN_PRESENCE) ** (turns_left / 2) for turns_left in range(TURNS)]


class Memo(dict[int, T]):
    """What a key was found to be, found once."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[int], T]) -> None:
        """Nothing found yet."""
        self._find = find

    def __missing__(self, key: int) -> T:
        """Find it."""
        found = self[key] = self._find(key)
        return found


class Rival(NamedTuple):
    """What the rival's leader, one of several, may bring to the faction, and belongs to it."""

    leader: float
    variance: float
    belongs: float


# `number`, `total` and `squares` (sums of strengths) of the heroes that lie nowhere in sight.
Hidden = tuple[int, int, int]


class Outlook:
    """One faction without its rows: the own `influence`, whether it is `present`, what is `hidden`.

    `backs` lie in the rival's Council. `mean` is the strength to expect of a back. `chances`, by
    turns left, are those to have more influence, to have less, to be present, and the rival's.
    `seen`, `joined` (by strength) and `backed` (by backs) are the outlooks after that.
    """

    __slots__ = (
        "_backs", "_hidden", "_lead", "_rival", "_variance", "backed", "chances",
        "influence", "joined", "mean", "present", "seen",
    )  # fmt: skip

    def __init__(
        self, influence: int, present: bool, hidden: Hidden, backs: int, rival: Rival
    ) -> None:
        """Nothing found yet; `outlook_of` keeps those that were met."""
        number, total, squares = hidden
        mean = total / number if number else 0.0
        variance = squares / number - mean * mean if number else 0.0
        self.influence, self.present, self.mean = influence, present, mean
        self._hidden, self._backs, self._rival = hidden, backs, rival
        self._lead = influence - backs / BACK * mean - rival.leader
        self._variance = backs / BACK * variance + rival.variance
        self.chances = Memo(self._find_chances)
        self.seen = Memo(self._find_seen)
        self.joined = Memo(self._find_joined)
        self.backed = Memo(self._find_backed)

    def _find_chances(self, turns_left: int) -> tuple[float, float, float, float]:
        come, rival = COME[turns_left], self._rival
        spread = sqrt(self._variance + turns_left * TURN_INFLUENCE**2 / 2)
        theirs = max(rival.belongs, min(1.0, self._backs / BACK), come)
        return *chances(self._lead, spread), 1.0 if self.present else come, theirs

    def _find_seen(self, strength: int) -> Outlook:
        number, total, squares = self._hidden
        hidden = number - 1, total - strength, squares - strength * strength
        return outlook_of(self.influence, self.present, hidden, self._backs, self._rival)

    def _find_joined(self, strength: int) -> Outlook:
        influence = self.influence + strength
        return outlook_of(influence, True, self._hidden, self._backs, self._rival)

    def _find_backed(self, backs: int) -> Outlook:
        backs += self._backs
        return outlook_of(self.influence, self.present, self._hidden, backs, self._rival)


outlook_of = cache(Outlook)  # one for all that are alike


def make_room() -> None:
    """Forget the outlooks when there are many."""
    if outlook_of.cache_info().currsize > KEPT:
        outlook_of.cache_clear()
        at_first.cache_clear()


# How many heroes more lie in the own row; the strength there and across of those that are seen; how
# many are not seen there and across.
Standing = tuple[int, float, float, int, int, Outlook]


@cache
def at_first(own: Leader, options: Options) -> tuple[Standing, ...]:
    """By faction, as the seat of that leader sees it before any hero is counted."""
    found = list[Standing]()
    others = [leader for leader in options.leaders if leader != own]
    for faction in FACTIONS:
        deck = [STRENGTH[hero] for hero in options.deck if hero[0] == faction]
        values = [float(leader.value * (faction in leader.factions)) for leader in others]
        hidden = len(deck), sum(deck), sum(one * one for one in deck)
        belongs = fmean(faction in leader.factions for leader in others)
        rival = Rival(fmean(values), pvariance(values), belongs)
        present = faction in own.factions
        outlook = outlook_of(own.value * present, present, hidden, 0, rival)
        found.append((0, 0, 0, 0, 0, outlook))
    return tuple(found)


def way_of(seat: int, target: int) -> int:
    """COUNCIL, OWN or ACROSS."""
    return COUNCIL if target == COUNCIL else int(target // ROW_SLOTS != seat)


def laid(standing: Standing, way: int, strength: float, sign: int = 1) -> Standing:
    """With a hero more in a row whose strength is seen, or one less."""
    heroes, own, across, own_backs, across_backs, outlook = standing
    if way == OWN:
        return heroes + sign, own + sign * strength, across, own_backs, across_backs, outlook
    return heroes - sign, own, across + sign * strength, own_backs, across_backs, outlook


def laid_unseen(standing: Standing, way: int, sign: int = 1) -> Standing:
    """With a back more in a row, or one less."""
    heroes, own, across, own_backs, across_backs, outlook = standing
    if way == OWN:
        return heroes + sign, own, across, own_backs + sign, across_backs, outlook
    return heroes - sign, own, across, own_backs, across_backs + sign, outlook


def with_outlook(standing: Standing, outlook: Outlook) -> Standing:
    """The same rows."""
    heroes, own, across, own_backs, across_backs, _ = standing
    return heroes, own, across, own_backs, across_backs, outlook


def brings(standing: Standing, turns_left: int) -> float:
    """As greedy's `brings`."""
    heroes, own, across, own_backs, across_backs, outlook = standing
    more, less, mine, theirs = outlook.chances[turns_left]
    larger, smaller = CHANCES[turns_left][heroes]
    exchanged = more * smaller + less * larger
    own, across = own + own_backs * outlook.mean, across + across_backs * outlook.mean
    stays = mine * own - theirs * across
    return stays + exchanged * (mine * across - theirs * own - stays)


def gain(standing: Standing, way: int, strength: float, turns_left: int) -> float:
    """What it brings to lay down a hero of that strength in a row."""
    heroes, own, across, own_backs, across_backs, outlook = standing
    more, less, mine, theirs = outlook.chances[turns_left]
    by_heroes = CHANCES[turns_left]
    larger, smaller = by_heroes[heroes]
    now = more * smaller + less * larger
    larger, smaller = by_heroes[heroes + 1 if way == OWN else heroes - 1]
    exchanged = more * smaller + less * larger
    lead = across - own + (across_backs - own_backs) * outlook.mean
    kept = (
        mine - exchanged * (mine + theirs) if way == OWN else exchanged * (mine + theirs) - theirs
    )
    return (exchanged - now) * (mine + theirs) * lead + strength * kept


def gains(standing: Standing, strength: int, turns_left: int) -> tuple[float, float, float]:
    """What it brings to lay down a hero in the own row, across, and to add it to the Council."""
    heroes, own, across, own_backs, across_backs, outlook = standing
    by_heroes, mean = CHANCES[turns_left], outlook.mean
    own, across = own + own_backs * mean, across + across_backs * mean
    more, less, mine, theirs = outlook.chances[turns_left]
    both = mine + theirs
    larger, smaller = by_heroes[heroes]
    now = more * smaller + less * larger
    if_more, if_less = by_heroes[heroes + 1]
    exchanged = more * if_less + less * if_more
    in_own = (exchanged - now) * both * (across - own) + strength * (mine - exchanged * both)
    if_more, if_less = by_heroes[heroes - 1]
    exchanged = more * if_less + less * if_more
    in_other = (exchanged - now) * both * (across - own) + strength * (exchanged * both - theirs)
    before = mine * own - theirs * across + now * both * (across - own)
    more, less, mine, theirs = outlook.joined[strength].chances[turns_left]
    exchanged = more * smaller + less * larger
    after = mine * own - theirs * across + exchanged * (mine + theirs) * (across - own)
    return in_own, in_other, after - before
