"""Over the pairs of a group everybody sits beside, behind and with everybody."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena_service.formats.drawing import PAIRS_OF_A_SERIES, in_order, reseated, seated


def cycles(group: tuple[str, ...], pairs: int) -> list[tuple[str, ...]]:
    """Of each pair the rotation that begins with the first of the group."""
    found = []
    for number in range(pairs):
        legs = [seated(reseated(group, number), leg) for leg in range(len(group))]
        assert len(set(legs)) == len(group)
        (start,) = [leg for leg in legs if leg[0] == group[0]]
        found.append(start)
    return found


def test_two_seats_have_one_order() -> None:
    assert cycles(("a", "b"), 4) == [("a", "b")] * 4


@pytest.mark.parametrize(("group", "orders"), [("abc", 2), ("abcd", 6)])
def test_more_seats_take_every_order_in_turn(group: str, orders: int) -> None:
    found = cycles(tuple(group), 2 * orders)
    assert found[0] == tuple(group)
    assert set(Counter(found).values()) == {2}
    assert len(set(found)) == orders
    assert found[orders:] == found[:orders]


@pytest.mark.parametrize("first", [0, 3])
def test_of_four_everybody_is_the_partner_of_everybody_in_three_pairs(first: int) -> None:
    partners = Counter(
        frozenset(leg[seat::2])
        for number in range(first, first + 3)
        for leg in [reseated(tuple("abcd"), number)]
        for seat in (0, 1)
    )
    assert partners == Counter(map(frozenset, combinations("abcd", 2)))


def test_the_orders_go_on_from_series_to_series() -> None:
    met = [tuple("abcd"), tuple("efgh")]
    pairs = PAIRS_OF_A_SERIES + 2
    order = list(in_order(met, pairs))
    for group in met:
        mine = [found for found in order if set(found) == set(group)]
        assert mine == [reseated(group, number) for number in range(pairs)]
    assert set(order[PAIRS_OF_A_SERIES]) == set(met[1])
