"""CSV files for spreadsheets."""

from __future__ import annotations

from dashboard.views.export import to_csv


def test_a_name_never_becomes_a_formula() -> None:
    text = to_csv(["bot", "rating"], [["=1+1", -3.5], ["a,b", None]])
    assert text.splitlines() == ["bot,rating", "'=1+1,-3.5", '"a,b",']
