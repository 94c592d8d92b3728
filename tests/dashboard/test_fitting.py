"""Lines keep within their room: smaller first, then cut."""

from __future__ import annotations

import pytest

from dashboard.boards.fitting import Line, fitted


def test_a_line_that_fits_stays_as_it_is() -> None:
    line = Line("heron begins", 14)
    assert line.within(line.width) == line
    assert "style" not in fitted(0, 0, "p", line, line.width)


def test_a_line_shrinks_before_it_is_cut() -> None:
    line = Line("castellan plays Manoeuvre", 16, bold=True)
    smaller = line.within(0.9 * line.width)
    assert smaller.content == line.content
    assert smaller.size == pytest.approx(0.9 * 16)
    cut = line.within(0.5 * line.width)
    assert cut.content.startswith("castellan pla")
    assert cut.content.endswith("…")
    assert not line.fits(0.5 * line.width)


@pytest.mark.parametrize("room", [20, 47, 130, 260])
@pytest.mark.parametrize("words", ["W" * 60, "il" * 40, "97 96 95 94 93 92 91", "Ж" * 30])
def test_no_line_is_wider_than_its_room(words: str, room: float) -> None:
    assert Line(words, 12).within(room).width <= room + 0.01


def test_what_is_cut_is_still_text_and_nothing_else() -> None:
    assert "&lt;script&gt;WW…<" in fitted(0, 0, "", Line("<script>" + "W" * 40, 12), 75)
