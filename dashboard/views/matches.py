"""The matches of the arena, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from arena_service.store import queries
from arena_service.store.queries import MatchRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, parameters, wording

PAGE = 50
_STATES = {"waiting": _("waiting"), "running": _("being played"), "finished": ""}


def page() -> None:
    """One page of the list."""
    st.title(_("Matches"))
    ladder = parameters.identifier("ladder")
    number = parameters.number("page", default=1, low=1, high=1_000_000)
    rows = queries.matches(arena.database(), ladder, PAGE + 1, (number - 1) * PAGE)
    if rows:
        markup.show(table(rows[:PAGE]))
    else:
        st.info(_("There are no matches here."))
    markup.show(_turn_pages(ladder, number, more=len(rows) > PAGE))


def table(rows: Sequence[MatchRow]) -> str:
    """The matches as a table with links to their pages."""
    heads = [_("Match"), _("Pair"), _("Players by seat"), _("Result"), _("Plies"), _("Finished")]
    return markup.table(heads, [_row(match) for match in rows], frozenset({4}))


def _row(match: MatchRow) -> list[str]:
    leg = _("leg {leg}").format(leg=match.leg)
    when = f"{match.finished_at:%Y-%m-%d %H:%M:%S} UTC" if match.finished_at else ""
    return [
        markup.link(markup.address("match", replay=match.id), _("open")),
        f"{match.pair} <span class=soft>{markup.safe(leg)}</span>",
        _players(match),
        markup.safe(wording.outcome(match) if match.ending else _STATES[match.state]),
        str(match.plies) if match.ending else "",
        f"<span class=soft>{when}</span>",
    ]


def _players(match: MatchRow) -> str:
    names = [
        f'<span class="{"ix-win" if player.rank == 1 and player.credit != 0.5 else ""}">'
        f"{markup.safe(player.bot)} <span class=soft>v{player.version}</span></span>"
        for player in match.players
    ]
    return " <span class=soft>·</span> ".join(names)


def _turn_pages(ladder: str | None, number: int, more: bool) -> str:
    parts = []
    if number > 1:
        target = markup.address("matches", ladder=ladder, page=number - 1)
        parts.append(markup.link(target, _("newer")))
    if more:
        target = markup.address("matches", ladder=ladder, page=number + 1)
        parts.append(markup.link(target, _("older")))
    return f"<p>{' · '.join(parts)}</p>"
