"""Who meets whom: everybody, or as many groups as a bound allows, evenly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import TypeVar

from arena_service.formats.format import Draw, Draws, Extends, Field, Line, Pairing, Round

T = TypeVar("T")


class RoundRobin:
    """Every combination of entrants meets, all planned at the start; a further round repeats it."""

    two_seats = False
    rated = True
    at_most: int | None = None
    extends: Extends = Extends.PAIRS

    def rounds(self, entrants: int, asked: int) -> int:
        """One, of as many pairs as are wished for."""
        return 1

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """One group of every combination."""
        return comb(entrants, seats) * rounds

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """In a drawn order, with drawn seats: the same in every round, without those who left."""
        if len(history) >= field.rounds:
            return None
        left = field.after(len(history)).left
        every = comb(len(field.entrants), field.seats)
        drawn = groups(field.entrants, field.seats, every, draws("seats"))
        return Pairing(tuple(group for group in drawn if left.isdisjoint(group)))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """None of its own: strength tells."""
        return []


def groups(entrants: Sequence[T], size: int, at_most: int, draw: Draw) -> list[tuple[T, ...]]:
    """Groups of `size` different entrants in a drawn order, the seats within a group drawn too.

    Every combination once if there are at most `at_most`; else groups in which everybody plays
    equally often (one more or less only when even one round is over the bound).
    """
    order = list(entrants)
    draw.shuffle(order)
    if len(order) < size:
        return []
    if comb(len(order), size) <= at_most:
        found = [list(group) for group in combinations(order, size)]
    else:
        found = _rounds(order, size, at_most, draw)
    draw.shuffle(found)
    for group in found:
        draw.shuffle(group)
    return [tuple(group) for group in found]


def _rounds(order: list[T], size: int, at_most: int, draw: Draw) -> list[list[T]]:
    """Rounds of len(order) groups: entrant i with those at fixed distances round the circle."""
    count = len(order)
    seen: set[frozenset[frozenset[int]]] = set()
    found: list[list[T]] = []
    wanted = max(1, at_most // count)
    # A bound on the tries: near the last free rounds a draw mostly hits what is taken.
    for _ in range(20 * wanted):
        if len(seen) == wanted:
            break
        distances = _distances(count, size, draw)
        circle = [[(i + distance) % count for distance in distances] for i in range(count)]
        key = frozenset(frozenset(group) for group in circle)
        if len(key) == count and key not in seen:
            seen.add(key)
            found += [[order[i] for i in group] for group in circle]
    return found[: max(at_most, 1)]


def _distances(count: int, size: int, draw: Draw) -> list[int]:
    others = list(range(1, count))
    draw.shuffle(others)
    return [0, *others[: size - 1]]
