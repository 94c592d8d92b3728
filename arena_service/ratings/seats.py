"""What a seat is worth: the mean credit of whoever sits there, over mirrored pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from arena_service.ratings.fit import LedgerRow
from arena_service.ratings.pairs import Interval, interval


def seat_credits(rows: Iterable[LedgerRow]) -> tuple[Interval, ...]:
    """By seat, from the rows of whole pairs of one number of seats; empty without rows.

    In a pair everybody sits everywhere on the same deal, so that strength cancels out.
    """
    by_pair: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for row in rows:
        by_pair[row.pair].append(row.credits)
    seats = zip(*(zip(*legs, strict=True) for legs in by_pair.values()), strict=True)
    return tuple(interval([sum(legs) / len(legs) for legs in seat]) for seat in seats)
