"""Who meets in a slot of a ladder: everybody where there is room, else whoever tells most.

Nothing but +, -, *, / and square roots is computed from what is recorded, so that every machine and
every language comes to the same groups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import comb, sqrt

from arena_service.formats.candidates import FIRST_OPPONENTS, Candidate
from arena_service.formats.format import Draw, Group
from arena_service.formats.round_robin import groups

MAX_PAIRS_OF_A_SLOT = 2000
GROUPS_OF_A_VERSION = 5  # in a slot, on average
WINDOW = 200.0  # Elo
NEIGHBOURS = 3  # on each side, in the window however far away
UNRATED_ERROR = 350.0  # Elo
LEAST_ERROR = 1.0  # Elo
STEPS = 2  # of the lead, for each standard deviation


def most_groups(pairs: int) -> int:
    """How many groups of so many pairs a slot has room for."""
    return max(1, MAX_PAIRS_OF_A_SLOT // pairs)


def longest_wait(entrants: int, pairs: int) -> int:
    """How many slots in a row a version among so many can be without a group at most."""
    return -(-entrants // most_groups(pairs)) - 1


def matched(candidates: Mapping[str, Candidate], seats: int, pairs: int, draw: Draw) -> list[Group]:
    """The groups of a slot, none twice, each in the order of its seats in leg 0."""
    versions, at_most = sorted(candidates), most_groups(pairs)
    wanted = min(at_most, -(-len(versions) * GROUPS_OF_A_VERSION // seats))
    if comb(len(versions), seats) <= wanted:
        return groups(versions, seats, at_most, draw)
    draw.shuffle(versions)
    found = [list(group) for group in _Slot(candidates, versions, seats).filled(wanted, at_most)]
    draw.shuffle(found)
    for group in found:
        draw.shuffle(group)
    return [tuple(group) for group in found]


def lead(one: Candidate, other: Candidate) -> int:
    """How sure it is who of two is stronger, in half standard deviations of the gap; 0: open."""
    gap = abs((one.rating or 0.0) - (other.rating or 0.0))
    return int(STEPS * gap / sqrt(_variance(one) + _variance(other)))


def _variance(candidate: Candidate) -> float:
    error = UNRATED_ERROR if candidate.error is None else max(candidate.error, LEAST_ERROR)
    return error * error


class _Slot:
    """The groups as they are found; the place in `order`, which is drawn, decides among equals."""

    def __init__(
        self, candidates: Mapping[str, Candidate], order: Sequence[str], seats: int
    ) -> None:
        self._of, self._seats = candidates, seats
        self._place = {version: place for place, version in enumerate(order)}
        self._first_met = {version: set(candidates[version].met) for version in order}
        self._met: dict[str, set[str]] = defaultdict(set)
        self._planned = dict.fromkeys(order, 0)
        self._taken: set[frozenset[str]] = set()
        self._found: list[Group] = []
        by_rating = sorted(order, key=lambda version: (candidates[version].rating or 0.0, version))
        self._window = {version: self._near(by_rating, at) for at, version in enumerate(by_rating)}

    def filled(self, wanted: int, at_most: int) -> list[Group]:
        """Everybody once, the longest waiting first; first opponents; then the least certain."""
        turns = sorted(self._place, key=self._turn)
        for version in turns:
            if not self._planned[version] and len(self._found) < at_most:
                self._serve(version)
        for version in turns:
            while self._is_new(version) and len(self._found) < at_most:
                if not self._serve(version):
                    break
        able = set(turns)
        while able and len(self._found) < wanted:
            version = min(able, key=self._certainty)
            if not self._serve(version, self._window[version]):
                able.remove(version)
        return self._found

    def _turn(self, version: str) -> tuple[float, ...]:
        known = self._of[version]
        return -known.waited, -_variance(known), known.pairs, self._place[version]

    def _certainty(self, version: str) -> tuple[float, ...]:
        """What it has in this slot counts as if each group halved, thirded, ... what is unknown."""
        known = self._of[version]
        return -_variance(known) / (1 + self._planned[version]), self._place[version]

    def _is_new(self, version: str) -> bool:
        others = len(self._place) - 1
        return len(self._first_met[version]) < min(FIRST_OPPONENTS, others)

    def _near(self, by_rating: Sequence[str], at: int) -> Collection[str]:
        """Whom a version at this place can well meet: WINDOW Elo away, and its neighbours."""
        mine = self._of[by_rating[at]].rating or 0.0
        return {
            other
            for place, other in enumerate(by_rating)
            if 0 < abs(place - at) <= NEIGHBOURS
            or (place != at and abs((self._of[other].rating or 0.0) - mine) <= WINDOW)
        }

    def _serve(self, version: str, among: Collection[str] | None = None) -> bool:
        """Plan a group of a version with those who tell most; False: there is no new one."""
        group, others = [version], self._place if among is None else among
        while len(group) < self._seats:
            free = [other for other in others if self._fits(group, other)]
            if not free:
                return False
            group.append(min(free, key=lambda other: self._cost(group, other)))
        self._plan(group)
        return True

    def _fits(self, group: Sequence[str], other: str) -> bool:
        together = frozenset((*group, other))
        return len(together) > len(group) and together not in self._taken

    def _cost(self, group: Sequence[str], other: str) -> tuple[float, ...]:
        """First opponents are new ones, in the window; the more open who is stronger, the better.

        To meet again in the same slot costs as much as a step of the lead.
        """
        again = sum(self._repeats_first(each, other) for each in group)
        leads = max(lead(self._of[each], self._of[other]) for each in group)
        here = sum(other in self._met[each] for each in group)
        outside = other not in self._window[group[0]]
        return again, outside, leads + here, self._planned[other], self._place[other]

    def _repeats_first(self, one: str, other: str) -> bool:
        return (self._is_new(one) and other in self._first_met[one]) or (
            self._is_new(other) and one in self._first_met[other]
        )

    def _plan(self, group: Sequence[str]) -> None:
        self._found.append(tuple(group))
        self._taken.add(frozenset(group))
        for version in group:
            others = {other for other in group if other != version}
            self._planned[version] += 1
            self._met[version] |= others
            self._first_met[version] |= others
