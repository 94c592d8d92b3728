"""Intervals from pair means: finite, honest, narrower with more pairs."""

from __future__ import annotations

import random
from math import isfinite

import pytest

from arena_service.ratings.pairs import interval


@pytest.mark.parametrize(
    "means", [[], [1.0], [0.0], [0.5], [1.0, 1.0], [0.0, 1.0], [1.0] * 10, [0.5] * 10]
)
def test_few_or_equal_pairs_give_finite_wide_intervals(means: list[float]) -> None:
    found = interval(means)
    assert all(isfinite(value) for value in (found.mean, found.low, found.high))
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.high - found.low > 0.1


def test_ten_of_ten_is_at_least_something() -> None:
    found = interval([1.0] * 10)
    assert found.mean == found.high == 1.0
    assert 0.6 < found.low < 0.95


def test_legs_that_cancel_are_seen_as_one_pair() -> None:
    """Seat luck decides each leg: the pairs are all 1/2, and the mean is well known."""
    paired = interval([0.5] * 100)
    unpaired = interval([0.0, 1.0] * 100)
    assert paired.high - paired.low < (unpaired.high - unpaired.low) / 2


def test_the_interval_covers_the_truth() -> None:
    rng, hits = random.Random(3), 0
    for _ in range(500):
        means = [(rng.random() < 0.6) * 0.5 + (rng.random() < 0.6) * 0.5 for _ in range(15)]
        found = interval(means)
        hits += found.low <= 0.6 <= found.high
    assert 0.92 <= hits / 500 <= 0.99
