"""The dashboard: pages and navigation. Run it by `python -m dashboard.server`."""

from __future__ import annotations

import streamlit as st
from sqlalchemy.exc import OperationalError

from dashboard.i18n.text import _
from dashboard.views import ladders, match, matches


def main() -> None:
    """Show the page of the address."""
    st.set_page_config(page_title="Interrex", layout="wide")
    pages = [
        st.Page(ladders.page, title=_("Ladders"), url_path="ladders", default=True),
        st.Page(matches.page, title=_("Matches"), url_path="matches"),
        st.Page(match.page, title=_("Match"), url_path="match", visibility="hidden"),
    ]
    st.html("<style>.stMainBlockContainer{padding-top:4.5rem;padding-bottom:3rem}</style>")
    chosen = st.navigation(pages, position="top")
    try:
        chosen.run()
    except OperationalError:
        st.error(_("The arena's database does not answer. Is the arena running?"))


main()
