"""A long code with a button that copies it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.i18n.text import _

_code = st.components.v2.component(
    "interrex_code",
    html="<code></code> <button type='button'></button>",
    css="""
    :host { display: block; color: var(--st-text-color);
      font: 13px/1.6 var(--st-code-font, monospace); }
    code { overflow-wrap: anywhere; font-family: inherit; }
    button { font: 12px var(--st-font, sans-serif); color: inherit; background: none;
      border: 1px solid var(--st-border-color, currentcolor); border-radius: 7px;
      padding: 2px 9px; cursor: pointer; }
    """,
    js=(Path(__file__).parent / "clipboard.js").read_text("utf-8"),
)


def show(key: str, text: str) -> None:
    """The text, and its button."""
    _code(key=key, data={"text": text, "copy": _("Copy"), "copied": _("Copied")})
