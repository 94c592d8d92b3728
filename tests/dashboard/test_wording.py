"""Results and endings in words."""

from __future__ import annotations

import pytest

from dashboard.views.wording import ending, result

NAMES = ["north", "south"]


@pytest.mark.parametrize(
    ("ranks", "said"),
    [([1, 2], "north won"), ([2, 1], "south won"), ([1, 1], "A draw"), (None, "No result")],
)
def test_the_result_names_the_winner(ranks: list[int] | None, said: str) -> None:
    assert result(ranks, NAMES) == said


def test_a_team_wins_together() -> None:
    assert result([1, 2, 1, 2], ["a", "b", "c", "d"]) == "a and c won"


@pytest.mark.parametrize(
    ("kind", "seat", "said"),
    [
        ("completed", None, ""),
        ("timeout", 0, "north ran out of time"),
        ("illegal_action", 1, "south gave an illegal answer"),
        ("crash", 0, "north crashed"),
        ("resigned", 1, "south resigned"),
        ("no_contest", None, "No contest: more than one bot failed to start"),
    ],
)
def test_an_ending_names_the_seat_at_fault(kind: str, seat: int | None, said: str) -> None:
    assert ending(kind, seat, NAMES) == said
