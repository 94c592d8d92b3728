"""The replay player as a Streamlit component: it steps in the browser, without the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.player.frames import words

_HERE = Path(__file__).parent
_player = st.components.v2.component(
    "interrex_replay_player",
    html=(_HERE / "player.html").read_text("utf-8"),
    css=(_HERE / "player.css").read_text("utf-8"),
    js=(_HERE / "player.js").read_text("utf-8"),
)


def show(
    replay_id: str,
    film: Mapping[str, Any],
    views: Sequence[tuple[str, str]],
    view: str,
    ply: int,
    on_view: Callable[[], None],
) -> str | None:
    """Mount the player; returns the viewpoint that was just asked for, if any."""
    asked = _player(
        key=f"player-{replay_id}",
        data={
            **film,
            "replay": replay_id,
            "views": [list(entry) for entry in views],
            "view": view,
            "ply": ply,
            "words": words(),
        },
        on_view_change=on_view,
    ).view
    return None if asked is None else str(asked)
