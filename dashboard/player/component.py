"""The replay player as a Streamlit component: it steps in the browser, without the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def chosen_view(replay_id: str) -> str | None:
    """The viewpoint that the reader chose in the player, if any."""
    chosen = st.session_state.get(f"view-{replay_id}")
    return None if chosen is None else str(chosen)


def show(
    replay_id: str,
    film: Mapping[str, Any],
    views: Mapping[str, str],
    view: str,
    ply: int,
    notes: Sequence[Sequence[object]] = (),
) -> None:
    """Mount the player.

    `views` are the viewpoints that may be asked for, with their labels; `notes` are seat, ply and
    text of what bots wrote, for the eyes of their author alone.
    """
    key = f"player-{replay_id}"

    def keep_view() -> None:
        asked = st.session_state[key].view
        if asked in views:
            st.session_state[f"view-{replay_id}"] = asked

    place = {"replay": replay_id, "views": list(views.items()), "view": view, "ply": ply}
    data = {**film, **place, "notes": [list(note) for note in notes], "words": words()}
    _player(key=key, data=data, on_view_change=keep_view)
