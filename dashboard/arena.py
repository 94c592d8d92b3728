"""What the pages read from: the database, the engine, and who is asking."""

from __future__ import annotations

from typing import Any

import streamlit as st

from arena_service.access import Viewer
from arena_service.settings import Settings
from arena_service.status.probes import Probes
from arena_service.status.reports import Reports
from arena_service.store import sign_ins
from arena_service.store.accounts import User
from dashboard.boards.catalogue import board
from dashboard.database import database as database
from dashboard.player.frames import film as make_film
from dashboard.visits import cookie
from engine_service.client import LocalEngine, Verdict


@st.cache_resource
def probes() -> Probes:
    """Whoever asks whether engine and broker answer, once for this server."""
    return Probes(Settings.from_environment())


@st.cache_resource
def reports() -> Reports:
    """The state of the arena, read once for all who look."""
    return Reports(database())


def visitor() -> User | None:
    """The account of the visit whose cookie the browser showed; None: a spectator.

    Looked up at every call, so that signing out in one tab ends the visit in all of them.
    """
    secret = st.context.cookies.get(cookie.NAME)
    return sign_ins.visitor(database(), secret) if secret else None


def viewer() -> Viewer:
    """Who looks at this page, for `access.may`."""
    user = visitor()
    return Viewer(user.id if user else None)


@st.cache_data(max_entries=256, show_spinner=False)
def verdict(replay: bytes) -> Verdict:
    """The engine's word on a replay: played again from its seed, ply by ply."""
    return LocalEngine().verify(replay)


@st.cache_data(max_entries=32, show_spinner=False)
def film(
    replay: bytes, game: str, view: str, names: tuple[str, ...], ending: str, language: str
) -> dict[str, Any]:
    """The pictures and moves of a replay as one viewpoint saw them, in the language spoken."""
    frames = LocalEngine().walk(replay, view)
    return make_film(frames, board(game), names, ending)
