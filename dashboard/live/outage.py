"""A database that does not answer: the page says so, and the log why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from arena_service.store.database import UNAVAILABLE, one_line
from dashboard.i18n.text import _
from engine_service.logs import get_logger

log = get_logger("interrex.dashboard")


@contextmanager
def told() -> Iterator[None]:
    """Around everything that is drawn; each part that draws itself needs its own."""
    try:
        yield
    except UNAVAILABLE as error:
        log.warning("the database does not answer", error=one_line(error))
        st.error(_("The arena's database does not answer. Is the arena running?"))
