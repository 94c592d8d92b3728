"""One match: its replay, who played, how it ended, and whether the record holds."""

from __future__ import annotations

import msgspec
import streamlit as st

from arena_service.access import Action, MatchSubject, may
from arena_service.store import queries
from arena_service.store.errors import NotFoundError
from arena_service.store.queries import MatchDetail
from dashboard import arena
from dashboard.i18n.text import _, spoken
from dashboard.player import component
from dashboard.views import evidence, facts, markup, parameters, rules, wording
from engine_service.core.errors import RulesError

MAX_PLIES = 100_000


def page() -> None:
    """The match of the address, or how to get to one."""
    detail = _asked_for()
    if detail is None:
        markup.show(markup.soft(markup.link(markup.address("matches"), _("All matches"))))
        return
    names = wording.player_names(detail.match.players)
    title = rules.line_up(detail, names)
    markup.titled(title)
    markup.show(
        f'<div class="ix-match">{markup.heading(title, 1)}'
        f"{markup.soft(markup.safe(wording.outcome(detail.match)))}</div>"
    )
    subject = MatchSubject(detail.pair_complete, detail.private_to)
    if not may(arena.viewer(), Action.SEE_REPLAY, subject):
        st.info(_("The replay opens when every leg of this pair has been played."))
        return
    stored = queries.replay(arena.database(), detail.match.id)
    if stored is None:
        st.info(_("This match has no replay yet."))
        return
    markup.show(facts.badge(stored))
    _play(detail, stored, names)
    facts.show(detail, stored)
    evidence.show(detail, names)
    facts.show_other_legs(detail)


def _asked_for() -> MatchDetail | None:
    """The match, if there is one that the reader may know of."""
    match_id = parameters.typed("replay")
    if not match_id:
        markup.show(markup.heading(_("Match"), 1))
        st.info(_("Choose a match from the list of matches."))
        return None
    try:
        detail = queries.match_detail(arena.database(), match_id)
    except NotFoundError:
        detail = None
    if detail is None or not may(
        arena.viewer(), Action.WATCH, MatchSubject(detail.pair_complete, detail.private_to)
    ):
        what = _("There is no match with the id “{name}”.").format(name=match_id)
        then = _("It may have been mistyped; the list of matches has a link to each of them.")
        markup.show(markup.missing(what, markup.safe(then)))
        return None
    return detail


def _play(detail: MatchDetail, stored: bytes, names: tuple[str, ...]) -> None:
    views = _views(detail, names)
    view = component.chosen_view(detail.match.id) or st.query_params.get("view", "")
    if view not in views:
        view = "spectator"
    result = msgspec.json.decode(stored)["result"]
    ending = wording.ending(result["ending"], result["at_fault"], names)
    try:
        film = arena.film(stored, detail.match.game, view, names, ending, spoken())
    except RulesError as error:
        st.error(_("This replay cannot be shown:"))
        st.text(str(error))
        return
    ply = parameters.number("ply", default=0, low=0, high=MAX_PLIES)
    component.show(detail.match.id, film, views, view, ply, evidence.notes(detail))


def _views(detail: MatchDetail, names: tuple[str, ...]) -> dict[str, str]:
    """The viewpoints that the reader may take, with their names."""
    viewer, subject = arena.viewer(), MatchSubject(detail.pair_complete, detail.private_to)
    views = {"spectator": _("Spectator")}
    if may(viewer, Action.SEE_SEAT_VIEW, subject):
        views |= {str(seat): name for seat, name in enumerate(names)}
    if may(viewer, Action.SEE_ALL_VIEW, subject):
        views["all"] = _("Everything")
    return views
