"""What the pairs of two sides came to: how often 0, 1/2, 1, 3/2 and 2 points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log, sqrt

from arena_service.ratings.fit import LedgerRow

POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
SHARES = tuple(points / 2 for points in POINTS)
EMPTY = 1e-3  # stands in a cell that has nothing, so that every result stays possible
NELO = 800.0 / log(10.0)

Counts = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Pentanomial:
    """Pairs of two sides by the points of the first; `counts` are those of POINTS."""

    counts: Counts = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> Pentanomial:
        """From the points of every pair; raises KeyError for what two matches cannot give."""
        found = Counter(map(_CELLS.__getitem__, points))
        a, b, c, d, e = (found[cell] for cell in range(len(POINTS)))
        return cls((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        """How many there are."""
        return sum(self.counts)

    @property
    def means(self) -> list[float]:
        """The mean credit of every pair, 0 to 1, in no particular order."""
        return [
            share for share, count in zip(SHARES, self.counts, strict=True) for _ in range(count)
        ]

    def regular(self) -> list[float]:
        """The counts with EMPTY where there is nothing."""
        return [count or EMPTY for count in self.counts]

    def normalised_elo(self) -> float:
        """The lead over 1/2 in standard deviations of one match, on the scale of Elo; finite.

        Unlike Elo it says how many pairs it takes to tell two sides apart.
        """
        weights = self.regular()
        total = sum(weights)
        mean = sum(w * share for w, share in zip(weights, SHARES, strict=True)) / total
        variance = (
            sum(w * (share - mean) ** 2 for w, share in zip(weights, SHARES, strict=True)) / total
        )
        return NELO * (mean - 0.5) / sqrt(2.0 * variance)


_CELLS = {points: cell for cell, points in enumerate(POINTS)}


def points_of(rows: Iterable[LedgerRow], version: str) -> Iterator[tuple[str, float]]:
    """Pair and points of `version` in whole pairs of two seats, in the order of the rows."""
    points: dict[str, float] = {}
    for row in rows:
        if len(row.seats) == 2 and version in row.seats:
            credit = row.credits[row.seats.index(version)]
            points[row.pair] = points.get(row.pair, 0.0) + credit
    yield from points.items()
