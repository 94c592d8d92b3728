"""One match: its replay, who played, how it ended, and whether the record holds."""

from __future__ import annotations

from typing import Any

import msgspec
import streamlit as st

from arena_service.access import Action, MatchSubject, may
from arena_service.store import queries
from arena_service.store.errors import NotFoundError
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.player import component
from dashboard.views import facts, markup, matches, parameters, wording

MAX_PLIES = 100_000


def page() -> None:
    """The match of the address, or how to get to one."""
    match_id = parameters.identifier("replay")
    if match_id is None:
        st.title(_("Match"))
        st.info(_("Choose a match from the list of matches."))
        markup.show(f"<p>{markup.link('matches', _('Matches'))}</p>")
        return
    try:
        match = queries.match_detail(arena.database(), match_id)
    except NotFoundError:
        st.title(_("Match"))
        st.error(_("There is no match with this id."))
        return
    names = tuple(f"{player.bot} v{player.version}" for player in match.players)
    markup.show(f"<h2>{markup.safe(_(' against ').join(names))}</h2>")
    markup.show(f"<p>{markup.safe(matches.outcome(match))}</p>")
    if not may(arena.SPECTATOR, Action.SEE_REPLAY, MatchSubject(match.pair_complete)):
        st.info(_("The replay opens when every leg of this pair has been played."))
        return
    _replay(match_id, names)


def _replay(match_id: str, names: tuple[str, ...]) -> None:
    stored = queries.replay(arena.database(), match_id)
    if stored is None:
        st.info(_("This match has no replay yet."))
        return
    document: dict[str, Any] = msgspec.json.decode(stored)
    result = document["result"]
    ending = wording.ending(result["ending"], result["at_fault"], names)
    views = _views(names)
    view = component.chosen_view(match_id) or st.query_params.get("view", "")
    if view not in views:
        view = "spectator"
    film = arena.film(stored, document["game"], view, names, ending)
    ply = parameters.number("ply", default=0, low=0, high=MAX_PLIES)
    component.show(match_id, film, views, view, ply)
    facts.show(match_id, document, stored, names)


def _views(names: tuple[str, ...]) -> dict[str, str]:
    seats = {str(seat): name for seat, name in enumerate(names)}
    return {"spectator": _("Spectator"), **seats, "all": _("Everything")}
