"""Tournaments: the list, or the one that the address names."""

from __future__ import annotations

from arena_service.store import tournaments
from arena_service.store.errors import NotFoundError
from arena_service.store.tournaments import TournamentRow
from dashboard import arena
from dashboard.i18n.text import _
from dashboard.views import markup, parameters, rules, tournament, wording

MOST = 500  # the newest


def page() -> None:
    """The tournament that the address names, or all of them."""
    asked = parameters.typed("tournament")
    if not asked:
        _list()
        return
    try:
        found = tournaments.show(arena.database(), asked)
    except NotFoundError:
        what = _("There is no tournament or challenge “{name}”.").format(name=asked)
        _list(markup.missing(what, markup.safe(_("Choose one of these:"))))
        return
    tournament.show(found)


def _list(above: str = "") -> None:
    """All of them, below what is to be said first."""
    parts = {"tournaments": _("Tournaments"), "challenges": _("Challenges")}
    part = parameters.one_of("show", tuple(parts))
    rows = tournaments.all_tournaments(
        arena.database(), challenges=part == "challenges", limit=MOST
    )
    entries = [(markup.address("tournaments", show=name), label) for name, label in parts.items()]
    heads = [
        _("Challenge") if part == "challenges" else _("Tournament"),
        _("State"),
        _("Game"),
        _("Entrants"),
        _("Created"),
        _("Ended"),
    ]
    body = (
        markup.table(heads, [_row(row) for row in rows], frozenset({3}))
        if rows
        else f'<p class="ix-empty">{markup.safe(_nothing(part))}</p>'
    )
    tabs = markup.tabs(_("Tournaments and challenges"), entries, parts[part])
    markup.show(markup.heading(_("Tournaments"), 1) + above + tabs + body)


def _nothing(part: str) -> str:
    if part == "challenges":
        return _("There is no challenge yet. Begin one with `interrex challenge start`.")
    return _("There is no tournament yet. Create one with `interrex tournament create`.")


def _row(row: TournamentRow) -> list[str]:
    name = markup.link(markup.address("tournaments", tournament=row.name), row.name)
    return [
        f'<b class="ix-name">{name}</b> <span class=soft>{markup.safe(row.owner)}</span>',
        markup.badge(*wording.state(row.state)),
        markup.safe(rules.game(row.game, row.options)),
        str(row.entrants),
        f'<span class="ix-when">{wording.moment(row.created_at)}</span>',
        f'<span class="ix-when">{wording.moment(row.ended_at)}</span>',
    ]
