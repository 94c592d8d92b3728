"""The matches of the arena, the newest first."""

from __future__ import annotations

import streamlit as st

from arena_service.store import queries
from arena_service.store.queries import MatchRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, parameters, wording

PAGE = 50


def page() -> None:
    """One page of the list."""
    st.title(_("Matches"))
    ladder = parameters.identifier("ladder")
    number = parameters.number("page", default=1, low=1, high=1_000_000)
    rows = queries.matches(arena.database(), ladder, PAGE + 1, (number - 1) * PAGE)
    if not rows:
        st.info(_("There are no matches here."))
    else:
        markup.show(_table(rows[:PAGE]))
    markup.show(_turn_pages(ladder, number, more=len(rows) > PAGE))


def _table(rows: list[MatchRow]) -> str:
    heads = [_("Match"), _("Pair"), _("Players by seat"), _("Result"), _("Plies"), _("Finished")]
    return markup.table(heads, [row(match) for match in rows], frozenset({1, 4}))


def row(match: MatchRow) -> list[str]:
    """The cells of one match."""
    return [
        markup.link(markup.address("match", replay=match.id), _("open")),
        f"{match.pair} <span class=soft>{_('leg')} {match.leg}</span>",
        _players(match),
        markup.safe(outcome(match)),
        "" if match.plies is None else str(match.plies),
        f"{match.finished_at:%Y-%m-%d %H:%M:%S}" if match.finished_at else "",
    ]


def _players(match: MatchRow) -> str:
    names = [
        f'<span class="{"ix-win" if player.credit == 1 else ""}">{markup.safe(player.bot)}'
        f" <span class=soft>v{player.version}</span></span>"
        for player in match.players
    ]
    return " <span class=soft>·</span> ".join(names)


def outcome(match: MatchRow) -> str:
    """The result and how it came about."""
    if not match.ending:
        return _("not played yet")
    names = [player.bot for player in match.players]
    ranks = [player.rank for player in match.players if player.rank is not None]
    said = wording.result(ranks, names)
    how = wording.ending(match.ending, match.at_fault, names)
    return f"{said} · {how}" if how else said


def _turn_pages(ladder: str | None, number: int, more: bool) -> str:
    parts = []
    if number > 1:
        target = markup.address("matches", ladder=ladder, page=number - 1)
        parts.append(markup.link(target, _("newer")))
    if more:
        target = markup.address("matches", ladder=ladder, page=number + 1)
        parts.append(markup.link(target, _("older")))
    return f"<p>{' · '.join(parts)}</p>"
