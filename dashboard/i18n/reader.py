"""Which language the reader of a page wants."""

from __future__ import annotations

import streamlit as st

from dashboard.i18n import text

PARAMETER = "lang"
_CHOSEN = "language"


def listen() -> None:
    """Speak the reader's language: what the address asks for, the arena's, or the browser's.

    A script run and a run of a fragment alone each happen in a thread of their own: call it first.
    """
    asked = text.known(st.query_params.get(PARAMETER, ""))
    if asked:
        st.session_state[_CHOSEN] = asked
    browser = text.known(st.context.locale or "")
    text.speak(chosen() or text.fixed_language() or browser or text.SOURCE)


def chosen() -> str | None:
    """The language that the reader chose by the address of this or an earlier page."""
    language = st.session_state.get(_CHOSEN)
    return None if language is None else str(language)
