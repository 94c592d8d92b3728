"""The bots of the arena; for somebody who is signed in, first the own ones."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.access import Action, BotSubject, Viewer, may
from arena_service.store import bot_pages
from arena_service.store.bot_pages import BotPage
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.views import markup, parameters, rules, wording

PAGE = 50


def page() -> None:
    """A page of the list."""
    user = arena.visitor()
    number = parameters.number("page", default=1, low=1, high=1_000_000)
    if user is not None and number == 1:
        mine = bot_pages.bots_of(arena.database(), user.id)
        markup.show(markup.heading(_("My bots"), 1) + _mine(mine))
    level = 1 if user is None else 2
    rows = bot_pages.all_bots(arena.database(), limit=PAGE + 1, offset=(number - 1) * PAGE)
    markup.show(
        markup.heading(_("All bots"), level)
        + _list(rows[:PAGE])
        + _turn_pages(number, more=len(rows) > PAGE)
    )


def _mine(rows: Sequence[BotPage]) -> str:
    if not rows:
        text = _(
            "You have submitted no bot yet."
            " Start with `interrex bot new` and `interrex bot submit`."
        )
        return f'<p class="ix-empty">{markup.safe(text)}</p>'
    return f'<div class="ix-cards">{"".join(_card(row) for row in rows)}</div>'


def _card(row: BotPage) -> str:
    newest = row.versions[0]
    record = newest.record
    numbers = _("{wins} won, {draws} drawn, {losses} lost").format(
        wins=record.wins, draws=record.draws, losses=record.losses
    )
    faults = plural("{count} fault", "{count} faults", record.faults)
    reason = f'<p class="ix-reason">{markup.safe(newest.reason)}</p>' if newest.reason else ""
    return (
        f'<article class="ix-card"><h3>{markup.link(markup.address("bot", id=row.id), row.name)}'
        f" <span class=soft>v{newest.number}</span></h3>"
        f"{markup.badge(*wording.state(newest.state))}{reason}"
        f"{markup.soft(markup.safe(numbers) + ' · ' + markup.safe(faults))}</article>"
    )


def _list(rows: Sequence[BotPage]) -> str:
    if not rows:
        return f'<p class="ix-empty">{markup.safe(_("There are no bots here."))}</p>'
    heads = [_("Bot"), _("Newest version"), _("State"), _("Games"), _("Submitted")]
    viewer = arena.viewer()
    return markup.table(heads, [_row(row, viewer) for row in rows], frozenset())


def _row(row: BotPage, viewer: Viewer) -> list[str]:
    newest = row.versions[0]
    owned = may(viewer, Action.SEE_BOT, BotSubject(row.owner_id))
    name = markup.link(markup.address("bot", id=row.id), row.name)
    return [
        f'<b class="ix-name">{name}</b> <span class=soft>{markup.safe(row.owner)}</span>',
        f"v{newest.number}",
        markup.badge(*wording.version_state(newest.state, owned)),
        markup.safe(", ".join(map(rules.title, newest.games))),
        f'<span class="ix-when soft">{wording.moment(newest.created_at)}</span>',
    ]


def _turn_pages(number: int, more: bool) -> str:
    parts = []
    if number > 1:
        parts.append(markup.link(markup.address("bots", page=number - 1), _("back")))
    if more:
        parts.append(markup.link(markup.address("bots", page=number + 1), _("more")))
    return f'<p class="ix-turn">{" · ".join(parts)}</p>'
