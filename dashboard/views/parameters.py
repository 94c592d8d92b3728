"""Query parameters, which anybody can type: read them by hand and never trust them."""

from __future__ import annotations

import re

import streamlit as st

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def number(name: str, default: int, low: int, high: int) -> int:
    """A whole number, brought between `low` and `high`; the default when it is none."""
    return bounded(st.query_params.get(name), default, low, high)


def bounded(given: str | None, default: int, low: int, high: int) -> int:
    """The text as a number between `low` and `high`; the default when it is no number."""
    text = (given or "").strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        return max(low, min(high, default))
    return max(low, min(high, int(text)))


def identifier(name: str) -> str | None:
    """An id, or None when it is missing or could not be one."""
    text = st.query_params.get(name)
    return text if text and _ID.fullmatch(text) else None
