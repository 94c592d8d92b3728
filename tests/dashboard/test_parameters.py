"""Query parameters are whatever somebody typed."""

from __future__ import annotations

import pytest

from dashboard.views.parameters import bounded


@pytest.mark.parametrize(
    ("typed", "used"),
    [("7", 7), ("-4", 0), ("9999", 52), ("abc", 3), (None, 3), ("", 3), ("1e3", 3), ("٣", 3)],
)
def test_a_number_is_brought_into_its_bounds(typed: str | None, used: int) -> None:
    assert bounded(typed, default=3, low=0, high=52) == used
