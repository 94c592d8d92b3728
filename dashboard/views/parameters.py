"""Query parameters, which anybody can type: read them by hand and never trust them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

MAX_TYPED = 130


def number(name: str, default: int, low: int, high: int) -> int:
    """A whole number, brought between `low` and `high`; the default when it is none."""
    return bounded(st.query_params.get(name), default, low, high)


def bounded(given: str | None, default: int, low: int, high: int) -> int:
    """The text as a number between `low` and `high`; the default when it is no number."""
    text = (given or "").strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        return max(low, min(high, default))
    return max(low, min(high, int(text)))


def whole(text: str, low: int, high: int) -> int | None:
    """The text as a number between `low` and `high`; None when it is no such number."""
    number = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None
    return number if number is not None and low <= number <= high else None


def typed(name: str) -> str:
    """What was typed in print, without blanks around it and not longer than any name."""
    return "".join(filter(str.isprintable, st.query_params.get(name, ""))).strip()[:MAX_TYPED]


def one_of(name: str, known: Sequence[str]) -> str:
    """One of the known words; the first when it is none of them."""
    text = st.query_params.get(name, "")
    return text if text in known else known[0]
