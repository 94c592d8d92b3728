"""The dashboard: pages and navigation. Run it by `python -m dashboard.server`."""

from __future__ import annotations

import streamlit as st

from dashboard.i18n.text import _
from dashboard.views import ladders, match, matches


def main() -> None:
    """Show the page of the address."""
    st.set_page_config(page_title="Interrex", layout="wide")
    pages = [
        st.Page(ladders.page, title=_("Ladders"), url_path="ladders", default=True),
        st.Page(matches.page, title=_("Matches"), url_path="matches"),
        st.Page(match.page, title=_("Match"), url_path="match"),
    ]
    st.navigation(pages, position="top").run()


main()
