"""Figures as people read them, the same in terminal and page."""

from __future__ import annotations

from collections.abc import Iterable

# What a pair of two bots can give one of them, in the order of `ratings/pentanomial.py`.
POINTS = ("0", "1/2", "1", "3/2", "2")
MOST_DECIMALS = 3


def signed(value: float) -> str:
    """A rating or a difference in whole points with its sign; 0 has none."""
    return f"{value:+.0f}" if round(value) else "0"


def record_heading(seats: int) -> str:
    """What is counted of a bot's matches.

    Among more than two, first is alone or with partners, shared is first with rivals.
    """
    return "won-drawn-lost" if seats == 2 else "first-shared-behind"


def decimals(values: Iterable[float]) -> int:
    """How many the one of these values needs that needs most, at most MOST_DECIMALS."""
    parts = (f"{value:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2] for value in values)
    return max(map(len, parts), default=0)


def alike(values: Iterable[float]) -> list[str]:
    """The values of one column, all with as many decimals."""
    column = list(values)
    count = decimals(column)
    return [f"{value:.{count}f}" for value in column]
