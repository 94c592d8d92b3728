"""Hidden Leaders: Duel: what greedy thinks of the rows, for a state in which nothing is hidden.

A turn that has begun is thought to its end: heroes in hand lie where they bring most.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, inf, sqrt
from typing import NamedTuple

from bots.baselines.greedy.hidden_leaders_duel import (
    FACTIONS,
    chances,
)
from bots.judges import Credits, Judge
from engine_service.games.hidden_leaders_duel.heroes import ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.state import TURNS, State

# As greedy's, but as they are found in its matches.
TURN_INFLUENCE = 1.9
TURN_HEROES = 0.75
TURN_PRESENCE = 0.5

LAST_TURN = 18.0  # what it brings in strength to have one turn more than the rival
SURPRISE = 8.0  # how far ahead in strength is how good, long before the end
EXACT = 1.0  # the same when no turn is left

PLACE = {faction: place for place, faction in enumerate(FACTIONS)}


class Standing(NamedTuple):
    """One faction: its heroes and their strength by row, the influence of seat 0 less that of
    seat 1, and whether it is present by seat.
    """

    heroes: tuple[int, int] = (0, 0)
    strength: tuple[int, int] = (0, 0)
    lead: int = 0
    present: tuple[bool, bool] = (False, False)

    def with_hero(self, row: int, strength: int) -> Standing:
        """One more in a row."""
        (first, second), (one, other) = self.heroes, self.strength
        if row == 0:
            return Standing((first + 1, second), (one + strength, other), self.lead, self.present)
        return Standing((first, second + 1), (one, other + strength), self.lead, self.present)

    def with_councillor(self, seat: int, strength: int) -> Standing:
        """One more in a Council, or a leader."""
        first, second = self.present
        if seat == 0:
            return Standing(self.heroes, self.strength, self.lead + strength, (True, second))
        return Standing(self.heroes, self.strength, self.lead - strength, (first, True))


Standings = tuple[Standing, ...]  # by faction
Ways = Callable[[Standing, int], list[Standing]]  # what a hero of that strength may change


def promise(state: State) -> Credits:
    """The credit that each seat may expect."""
    standings, mover, turns_left = _standings(state), state.seat, TURNS - state.closed
    if state.turns and not state.turns[-1].played:
        turns_left -= 1
        standings = _finished(state, standings, turns_left)
        mover = 1 - mover
    ahead = _strength(standings, turns_left)
    if turns_left % 2:
        ahead += _sign(mover) * LAST_TURN
    doubt = EXACT + SURPRISE * turns_left / (turns_left + 1)
    credit = 1 / (1 + exp(-ahead / doubt))
    return credit, 1 - credit


def _standings(state: State) -> Standings:
    standings = [Standing()] * len(FACTIONS)
    for number, slot in enumerate(state.slots):
        for hero in filter(None, (slot.hero, slot.blocker)):
            place = PLACE[hero[0]]
            standings[place] = standings[place].with_hero(number // ROW_SLOTS, STRENGTH[hero])
    for seat, (leader, council) in enumerate(zip(state.leaders, state.councils, strict=True)):
        influence = [(faction, leader.value) for faction in leader.factions]
        influence += [(hero[0], STRENGTH[hero]) for hero in council]
        for faction, strength in influence:
            place = PLACE[faction]
            standings[place] = standings[place].with_councillor(seat, strength)
    return tuple(standings)


def _finished(state: State, standings: Standings, turns_left: int) -> Standings:
    """After the returns and the play of the seat whose turn it is, each the best by itself."""
    turn, seat, hand = state.turns[-1], state.seat, list(state.hands[state.seat])
    found, sign = list(standings), _sign(seat)

    def lay(ways: Ways) -> None:
        """Lay down the hero that brings most in one of the ways."""
        best, chosen, after = -inf, "", Standing()
        for hero in hand:
            now = found[PLACE[hero[0]]]
            before = _brings(now, turns_left)
            for then in ways(now, STRENGTH[hero]):
                gain = sign * (_brings(then, turns_left) - before)
                if gain > best:
                    best, chosen, after = gain, hero, then
        hand.remove(chosen)
        found[PLACE[chosen[0]]] = after

    def play(now: Standing, strength: int) -> list[Standing]:
        """To the Council, or as a blocker."""
        return [now.with_councillor(seat, strength), *_into(0, 1)(now, strength)]

    if not turn.returned:
        for slot in turn.slots:
            lay(_into(slot // ROW_SLOTS))
    lay(play)
    return tuple(found)


def _into(*rows: int) -> Ways:
    return lambda now, strength: [now.with_hero(row, strength) for row in rows]


def _strength(standings: Standings, turns_left: int) -> float:
    """What seat 0 may expect more than seat 1."""
    return sum([_brings(standing, turns_left) for standing in standings])


def _sign(seat: int) -> int:
    return 1 - 2 * seat


@lru_cache(maxsize=1 << 16)
def _brings(standing: Standing, turns_left: int) -> float:
    """As greedy's `brings`, from one seat's influence to the other's."""
    more, less = chances(standing.lead, TURN_INFLUENCE * sqrt(turns_left / 2))
    first, second = standing.heroes
    larger, smaller = chances(first - second, TURN_HEROES * sqrt(turns_left))
    exchanged = more * smaller + less * larger
    come: float = 1 - (1 - TURN_PRESENCE) ** (turns_left / 2)
    one, other = (1.0 if present else come for present in standing.present)
    own, across = standing.strength
    stays = one * own - other * across
    return stays + exchanged * (one * across - other * own - stays)


JUDGE = Judge(promise, own_turn=True)
