"""The dashboard: pages and navigation. Run it by `python -m dashboard.server`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.i18n import reader
from dashboard.i18n.text import _
from dashboard.live import outage
from dashboard.metrics import PAGE_SECONDS
from dashboard.views import bot, bots, header, ladders, markup, match, matches, status, tournaments

STYLE = Path(__file__).parent / "views" / "style.css"


def home() -> None:
    """The bare address shows the ladders; a default page of Streamlit has no path of its own."""
    ladders.page()


def main() -> None:
    """Show the page of the address."""
    st.set_page_config(page_title="Interrex", layout="wide")
    reader.listen()
    st.html(STYLE)
    pages = [
        st.Page(home, title="Interrex", default=True),
        st.Page(ladders.page, title=_("Ladders"), url_path="ladders"),
        st.Page(tournaments.page, title=_("Tournaments"), url_path="tournaments"),
        st.Page(matches.page, title=_("Matches"), url_path="matches"),
        st.Page(match.page, title=_("Match"), url_path="match"),
        st.Page(bots.page, title=_("Bots"), url_path="bots"),
        st.Page(bot.page, title=_("Bot"), url_path="bot"),
        st.Page(status.page, title=_("Status"), url_path="status"),
    ]
    chosen = st.navigation(pages, position="hidden")
    markup.titled(*([chosen.title] if chosen.url_path else []))
    with outage.told(), PAGE_SECONDS.labels(chosen.url_path or "home").time():
        header.show(chosen.url_path)
        chosen.run()


main()
