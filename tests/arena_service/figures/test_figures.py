"""The numbers of one column have one form, and the labels of points are those of the counts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena_service import figures
from arena_service.figures import alike, signed
from arena_service.ratings import pentanomial


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([1, 0.5, 1.25], ["1.00", "0.50", "1.25"]),
        ([3, 0, 10], ["3", "0", "10"]),
        ([1 / 3, 0.5], ["0.333", "0.500"]),
        ([2.99999999, 1], ["3", "1"]),
        ([-0.5, 1], ["-0.5", "1.0"]),
        ([], []),
    ],
)
def test_a_column_has_as_many_decimals_as_it_needs(values: list[float], written: list[str]) -> None:
    assert alike(values) == written


@pytest.mark.parametrize(
    ("value", "written"), [(-0.4, "0"), (0.4, "0"), (12.6, "+13"), (-12.6, "-13"), (0.0, "0")]
)
def test_a_difference_of_nothing_has_no_sign(value: float, written: str) -> None:
    assert signed(value) == written


def test_points_of_pairs_are_called_what_they_are() -> None:
    assert tuple(map(float, map(Fraction, figures.POINTS))) == pentanomial.POINTS
