"""What the pages read from: the database, the engine, and who is asking."""

from __future__ import annotations

from typing import Any

import streamlit as st

from arena_service.access import Viewer
from arena_service.settings import Settings
from arena_service.store.database import Database, open_database
from dashboard.boards.catalogue import board
from dashboard.player.frames import film as make_film
from engine_service.client import LocalEngine, Verdict

#: Nobody signs in to the dashboard: it shows what every spectator may see.
SPECTATOR = Viewer()


@st.cache_resource
def database() -> Database:
    """The arena's database, opened once for this server."""
    return open_database(Settings.from_environment().database_url)


@st.cache_data(max_entries=256, show_spinner=False)
def verdict(replay: bytes) -> Verdict:
    """The engine's word on a replay: played again from its seed, ply by ply."""
    return LocalEngine().verify(replay)


@st.cache_data(max_entries=32, show_spinner=False)
def film(
    replay: bytes, game: str, view: str, names: tuple[str, ...], ending: str
) -> dict[str, Any]:
    """The pictures and moves of a replay as one viewpoint saw them."""
    frames = LocalEngine().walk(replay, view)
    return make_film(frames, board(game), names, ending)
