"""Plans of Claim matches between two players, for tests."""

import hashlib

from engine_service.client import MatchStart
from workers.match.series import LegPlan


def seed(pair: int) -> str:
    """The deal of a pair."""
    return hashlib.sha256(b"pair %d" % pair).hexdigest()


def leg(pair: int, number: int, processes: int | None = None, **changes: frozenset[int]) -> LegPlan:
    """One leg of a pair; `processes` is the process set when that is not the leg's own."""
    start = MatchStart(game="claim", options={}, seats=2, seed=seed(pair))
    seating = (number, 1 - number)
    seeds = tuple(f"{pair:015x}{number}{seat:016x}" for seat in (0, 1))
    chosen = number if processes is None else processes
    return LegPlan(f"{pair}.{number}", start, seating, seeds, chosen, **changes)


def pair_legs(pairs: int) -> list[LegPlan]:
    """Both legs of so many pairs."""
    return [leg(pair, number) for pair in range(pairs) for number in (0, 1)]
