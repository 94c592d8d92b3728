"""A part of a page that draws itself anew every few seconds, as long as its tab is seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dashboard.i18n import reader
from dashboard.live import outage

REFRESH_SECONDS = 5

_beat = st.components.v2.component(
    "interrex_beat",
    html="<i hidden></i>",
    js=(Path(__file__).parent / "beat.js").read_text("utf-8"),
)


def show(key: str, draw: Callable[[], bool]) -> None:
    """Draw now; then again whenever the browser asks, until `draw` says that nothing will change.

    Streamlit's own `run_every` goes on in hidden tabs, so the browser keeps the time. When the
    database does not answer, that is said, and one of the next beats draws.
    """

    @st.fragment
    def part() -> None:
        reader.listen()
        changes = True
        with outage.told():
            changes = draw()
        if changes:
            data = {"seconds": REFRESH_SECONDS}
            _beat(key=f"beat-{key}", data=data, height=1, on_beat_change=lambda: None)

    part()
