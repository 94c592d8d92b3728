"""Who is surely ahead: never both, never by too few pairs, seldom by chance."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_service.ratings.ahead import surely_ahead

NAMES = ("a", "b", "c", "d")


def played(seed: int, each: int, strong: str = "") -> list[dict[str, float]]:
    """So many pairs of every two; the strong one takes all."""
    chance, found = random.Random(seed), []
    for one, other in combinations(NAMES, 2):
        for _ in range(each):
            share = chance.choice([0.0, 0.5, 1.0])
            if strong in (one, other):
                share = float(strong == one)
            found.append({one: share, other: 1.0 - share})
    return found


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 999), st.integers(0, 30), st.sampled_from(["", "a", "d"]))
def test_the_order_of_the_pairs_is_nothing_and_nobody_is_ahead_of_who_leads_it(
    seed: int, each: int, strong: str
) -> None:
    pairs = played(seed, each, strong)
    ahead = surely_ahead(NAMES, pairs, 0.05)
    random.Random(seed).shuffle(pairs)
    assert surely_ahead(NAMES, pairs, 0.05) == ahead
    for one, behind in ahead.items():
        assert all(one not in ahead[other] for other in behind)


def test_who_takes_all_is_ahead_once_there_are_enough_pairs() -> None:
    assert surely_ahead(NAMES, [], 0.05) == dict.fromkeys(NAMES, frozenset())
    assert not any(surely_ahead(NAMES, played(1, 1, "b"), 0.05).values())
    assert surely_ahead(NAMES, played(1, 20, "b"), 0.05)["b"] == {"a", "c", "d"}


def test_chance_alone_says_so_seldom() -> None:
    runs, doubt = 400, 0.05
    wrong = sum(any(surely_ahead(NAMES, played(seed, 12), doubt).values()) for seed in range(runs))
    assert wrong <= 1.6 * doubt * runs
