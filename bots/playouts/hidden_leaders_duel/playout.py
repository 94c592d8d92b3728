"""Hidden Leaders: Duel: a quick player that each seat can be, for playouts to the end.

It lays down what brings most, one hero after the other. It takes any heroes before the last two
turns, and then those that it exchanges best, each for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from heapq import nlargest
from math import exp
from random import Random

from bots.judges import Credits
from bots.playouts.hidden_leaders_duel.standing import (
    BACK,
    at_first,
    brings,
    gain,
    laid,
    laid_unseen,
    way_of,
    with_hidden,
)
from engine_service.core.game import GameResult
from engine_service.games.hidden_leaders_duel.actions import COUNCIL
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.scoring import judge, share_out
from engine_service.games.hidden_leaders_duel.state import TURNS, State, Turn

LATE_TURNS = 2  # of the match, in which it looks where to take
SURE = 4.0  # a lead in strength that says more about the playout than a narrow one
MEANT = 1.5  # strength: how much more a choice brings that is made much more often
STRAY = 0.1  # of all choices are made otherwise

Choice = tuple[float, str, int]  # what it brings, the hero, and COUNCIL, OWN or ACROSS
PLACE = {faction: place for place, faction in enumerate(FACTIONS)}


def play_out(state: State, rng: Random) -> Credits:
    """Half of a credit is won or lost, half says by how much."""
    result = Playout(state, rng).result()
    (first, second), (one, other) = result.ranks, result.score["strength"]
    clear = 1 / (1 + exp((other - one) / SURE))
    credit = ((1 + (first < second) - (second < first)) / 2 + clear) / 2
    return credit, 1 - credit


class Playout:
    """The rest of a match. `_seen` is by seat and faction, `_free` are slots that can be taken."""

    def __init__(self, state: State, rng: Random) -> None:
        """Take the state apart."""
        step = state.step
        self._draw = rng.random
        self._turn, self._leaders = state.closed, state.leaders
        self._secret = state.options.hidden_factions
        self._heroes = [slot.hero for slot in state.slots]
        self._face_up = [slot.face_up for slot in state.slots]
        self._rows: tuple[list[str], list[str]] = ([], [])  # blockers
        self._hands = [list(hand) for hand in state.hands]
        self._councils: tuple[list[str], list[str]] = ([], [])
        self._pile = list(reversed(state.pile))
        self._vacant = list(state.turns[-1].slots) if step == "return" else []
        self._began = step in ("return", "play")
        self._free = [at for at, slot in enumerate(state.slots) if not slot.blocker]
        self._seen = [list(at_first(leader, state.options)) for leader in state.leaders]
        self._known: tuple[set[str], set[str]] = (set(), set())
        for at, slot in enumerate(state.slots):
            if slot.hero:
                self._count(slot.hero, at, (slot.face_up, slot.face_up))
            if slot.blocker:
                self._block(slot.blocker, at, slot.blocked_by)
        for seat in (0, 1):
            for hero in state.hands[seat]:
                self._see(hero, seat)
            for hero in state.councils[seat]:
                self._join(hero, seat)

    def result(self) -> GameResult:
        """Play on, and share out."""
        while self._turn < TURNS:
            if not self._began:
                self._take(self._slots())
            seat = self._turn & 1
            for at in tuple(self._vacant):
                self._return(max(self.returns(seat, at))[1], at)
            _, hero, way = max(self.plays(seat))
            self._play(hero, self._any_target(seat, way))
        for at, hero in enumerate(self._heroes):
            self._rows[at // ROW_SLOTS].append(hero)
        first, second = map(tuple, self._rows)
        one, other = map(tuple, self._councils)
        return judge(share_out((first, second), (one, other), self._leaders))

    def chances(self, turns: Sequence[Turn], seat: int) -> list[float]:
        """Play these turns; how likely it was that the seat returned and played each as it did."""
        found = []
        for turn in turns:
            self._take(turn.slots)
            for at, hero in zip(turn.slots, turn.returned, strict=True):
                if turn.seat == seat:
                    found.append(_chance(self.returns(seat, at), hero, way_of(seat, at)))
                self._return(hero, at)
            if turn.seat == seat:
                found.append(_chance(self.plays(seat), turn.played, way_of(seat, turn.target)))
            self._play(turn.played, turn.target)
        return found

    def returns(self, seat: int, at: int) -> list[Choice]:
        """What the seat may lay in that slot."""
        return self._choices(seat, (way_of(seat, at),))

    def plays(self, seat: int) -> list[Choice]:
        """What it may play, to the Council or to block in either row."""
        return self._choices(seat, (COUNCIL, *{way_of(seat, at) for at in self._free}))

    def exchange(self, seat: int, at: int) -> float:
        """What it brings to take the hero there, a back as it may be, and to return the best."""
        turns_left, seen = TURNS - 1 - self._turn, self._seen[seat]
        way, taken = way_of(seat, at), PLACE[self._heroes[at][0]]
        now, strength = seen[taken], seen[taken][-1].mean
        if self._face_up[at]:
            strength = STRENGTH[self._heroes[at]]
            left = laid(now, way, strength, -1)
        else:
            left = laid_unseen(now, way, -1)
        gains = [gain(left, way, strength, turns_left)]
        for hero in self._hands[seat]:
            place = PLACE[hero[0]]
            standing = left if place == taken else seen[place]
            gains.append(gain(standing, way, STRENGTH[hero], turns_left))
        return max(gains) + brings(left, turns_left) - brings(now, turns_left)

    def _choices(self, seat: int, ways: Sequence[int]) -> list[Choice]:
        """What it brings to lay a hero of the hand in one of the ways."""
        turns_left, seen, found = TURNS - 1 - self._turn, self._seen[seat], list[Choice]()
        for hero in self._hands[seat]:
            standing, strength = seen[PLACE[hero[0]]], STRENGTH[hero]
            found += [(gain(standing, way, strength, turns_left), hero, way) for way in ways]
        return found

    def _slots(self) -> Sequence[int]:
        """Any, but the most promising ones in the last turns."""
        if TURNS - self._turn > LATE_TURNS:
            return self._any_slots()
        return sorted(nlargest(2, self._free, key=partial(self.exchange, self._turn & 1)))

    def _any_slots(self) -> list[int]:
        """Two free ones, or the last."""
        free, draw = self._free, self._draw
        one = int(draw() * len(free))
        if len(free) == 1:
            return free[:]
        other = int(draw() * (len(free) - 1))
        return [free[one], free[other + (other >= one)]]

    def _any_target(self, seat: int, way: int) -> int:
        if way == COUNCIL:
            return COUNCIL
        slots = [at for at in self._free if way_of(seat, at) == way]
        return slots[int(self._draw() * len(slots))]

    def _take(self, slots: Sequence[int]) -> None:
        seat = self._turn & 1
        self._vacant, self._began = list(slots), True
        for at in slots:
            hero, known = self._heroes[at], self._face_up[at]
            self._hands[seat].append(hero)
            self._count(hero, at, (known, known), -1)
            self._see(hero, seat)

    def _return(self, hero: str, at: int) -> None:
        """Face up, so that the other seat sees it too."""
        seat = self._turn & 1
        self._vacant.remove(at)
        self._hands[seat].remove(hero)
        self._heroes[at], self._face_up[at] = hero, True
        self._count(hero, at, (True, True))

    def _play(self, hero: str, target: int) -> None:
        """With the draw the turn ends."""
        seat = self._turn & 1
        self._hands[seat].remove(hero)
        if target == COUNCIL:
            self._join(hero, seat)
        else:
            self._free.remove(target)
            self._block(hero, target, seat)
        if self._pile:
            self._hands[seat].append(self._pile.pop())
            self._see(self._hands[seat][-1], seat)
        self._turn, self._began = self._turn + 1, False

    def _count(self, hero: str, at: int, seen: tuple[bool, bool], sign: int = 1) -> None:
        """A hero comes to a row or leaves it; `seen` by which seat."""
        place = PLACE[hero[0]]
        for seat, standings in enumerate(self._seen):
            way = way_of(seat, at)
            if seen[seat]:
                self._see(hero, seat)
                standings[place] = laid(standings[place], way, STRENGTH[hero], sign)
            else:
                standings[place] = laid_unseen(standings[place], way, sign)

    def _see(self, hero: str, seat: int) -> None:
        if hero not in self._known[seat]:
            self._known[seat].add(hero)
            standing = self._seen[seat][PLACE[hero[0]]]
            hidden = standing[-1].seen(STRENGTH[hero])
            self._seen[seat][PLACE[hero[0]]] = with_hidden(standing, hidden)

    def _block(self, hero: str, at: int, seat: int) -> None:
        self._rows[at // ROW_SLOTS].append(hero)
        self._count(hero, at, (seat == 0, seat == 1))

    def _join(self, hero: str, seat: int) -> None:
        """The rival sees a back, with the faction or without."""
        self._councils[seat].append(hero)
        self._see(hero, seat)
        place, own, rivals = PLACE[hero[0]], self._seen[seat], self._seen[1 - seat]
        own[place] = laid(own[place], COUNCIL, STRENGTH[hero])
        for one in range(len(FACTIONS)) if self._secret else (place,):
            hidden = rivals[one][-1]
            backs = hidden.backs + (1 if self._secret else BACK)
            rivals[one] = with_hidden(rivals[one], hidden._replace(backs=backs))


def _chance(choices: Sequence[Choice], hero: str, way: int) -> float:
    """How likely it is that this one is made, the more it brings."""
    best = max(choices)[0]
    weights = {choice[1:]: exp((choice[0] - best) / MEANT) for choice in choices}
    return STRAY / len(weights) + (1 - STRAY) * weights[hero, way] / sum(weights.values())
