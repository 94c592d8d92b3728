"""Progress of the demo where no terminal draws bars."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from cli import progress


def test_without_a_terminal_each_change_is_a_line_with_the_time_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    said = StringIO()
    with progress.pairs_of(Console(file=said, width=120)) as draw:
        draw("claim-demo", 0, 0)
        draw("claim-demo", 0, 40)
        draw("claim-demo", 0, 40)
        now += 75.9
        draw("claim-demo", 7, 40)
        draw("king-demo", 7, 12)
    assert said.getvalue().splitlines() == [
        "claim-demo: 0/40 pairs after 0:00:00",
        "claim-demo: 7/40 pairs after 0:01:15",
        "king-demo: 7/12 pairs after 0:01:15",
    ]


def test_a_terminal_has_a_bar_for_each_ladder() -> None:
    said = StringIO()
    with progress.pairs_of(Console(file=said, width=120, force_terminal=True)) as draw:
        draw("claim-demo", 0, 0)
        draw("claim-demo", 40, 40)
    assert "40/40" in said.getvalue()
