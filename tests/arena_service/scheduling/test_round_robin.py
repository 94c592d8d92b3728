"""Who meets whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.formats.credit import credits_of
from arena_service.formats.round_robin import groups
from engine_service.core.seeds import Stream


def draw(seed: int = 0) -> Stream:
    return Stream(seed.to_bytes(32, "big"), "draw")


@given(st.integers(0, 9), st.integers(2, 4), st.integers(0, 1000))
def test_everybody_meets_everybody_once(count: int, size: int, seed: int) -> None:
    found = groups(range(count), size, 1000, draw(seed))
    met = Counter(frozenset(group) for group in found)
    assert met == Counter(frozenset(group) for group in combinations(range(count), size))


@settings(deadline=None)
@given(st.integers(10, 60), st.integers(2, 4), st.integers(0, 1000))
def test_over_the_bound_everybody_plays_equally_often(count: int, size: int, seed: int) -> None:
    found = groups(range(count), size, 2 * count, draw(seed))
    assert count <= len(found) <= 2 * count
    plays = Counter(entrant for group in found for entrant in group)
    assert len(set(plays.values())) == 1
    assert len({frozenset(group) for group in found}) >= count
    assert all(len(set(group)) == size for group in found)


def test_too_few_entrants_meet_nobody() -> None:
    assert groups(range(2), 3, 100, draw()) == []


def test_the_draw_decides_and_repeats() -> None:
    assert groups(range(5), 2, 100, draw(1)) == groups(range(5), 2, 100, draw(1))
    assert groups(range(5), 2, 100, draw(1)) != groups(range(5), 2, 100, draw(2))


@pytest.mark.parametrize(
    ("ranks", "teams", "credits"),
    [
        ([1, 2], None, [1.0, 0.0]),
        ([1, 1], None, [0.5, 0.5]),
        ([3, 1, 1], None, [0.0, 0.75, 0.75]),
        ([1, 2, 1, 2], [0, 1, 0, 1], [1.0, 0.0, 1.0, 0.0]),
        ([1, 2, 3, 4], None, [1.0, 2 / 3, 1 / 3, 0.0]),
    ],
)
def test_credit(ranks: list[int], teams: list[int] | None, credits: list[float]) -> None:
    assert credits_of(ranks, teams) == pytest.approx(credits)
