"""Gauntlet: named challengers against everybody else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from arena_service.formats.format import (
    Draws,
    Extends,
    Field,
    Group,
    Line,
    Pairing,
    Round,
    purpose,
)


class Gauntlet:
    """Each challenger meets the others in every group they make, and no other challenger.

    A further round repeats it.
    """

    two_seats = False
    rated = True
    at_most: int | None = None
    extends = Extends.PAIRS

    def rounds(self, entrants: int, asked: int) -> int:
        """One, of as many pairs as are wished for."""
        return 1

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """A group of each challenger with each combination of the others."""
        return challengers * comb(max(0, entrants - challengers), seats - 1) * rounds

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """In a drawn order, with drawn seats: the same in every round, without those who left."""
        if len(history) >= field.rounds:
            return None
        draw = draws(purpose(()))
        met = [list(group) for group in _groups(field)]
        draw.shuffle(met)
        for group in met:
            draw.shuffle(group)
        left = field.after(len(history)).left
        return Pairing(tuple(tuple(group) for group in met if left.isdisjoint(group)))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """None of its own: strength tells."""
        return []


def _groups(field: Field) -> list[Group]:
    challengers = [entrant for entrant in field.entrants if entrant in field.challengers]
    others = [entrant for entrant in field.entrants if entrant not in field.challengers]
    return [
        (challenger, *group)
        for challenger in challengers
        for group in combinations(others, field.seats - 1)
    ]
