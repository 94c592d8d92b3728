"""Who beat whom: a square table whose fields open the matches of two bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.store import bot_pages
from arena_service.store.crosstables import Crosstable, Meeting
from arena_service.store.queries import StandingRow
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.views import markup

MAX_BOTS = 30


def table(rows: Sequence[StandingRow], met: Crosstable, scope: dict[str, str]) -> str:
    """The bots in the order of the standings; a field is what its row took from its column."""
    shown = rows[:MAX_BOTS]
    if not met:
        return f'<p class="ix-empty">{markup.safe(_("No pair has been played yet."))}</p>'
    bots = bot_pages.bot_ids(arena.database(), [row.version_id for row in shown])
    heads = "".join(
        f'<th scope="col" title="{markup.safe(_name(row))}">{row.rank}</th>' for row in shown
    )
    body = "".join(_line(row, shown, met, bots, scope) for row in shown)
    note = _(
        "Percent of the points that the bot of a row took from the bot of a column;"
        " below it, the pairs."
    )
    return (
        f'<div class="ix-wrap"><table class="ix ix-versus"><thead><tr><th></th>'
        f"<th>{markup.safe(_('Bot'))}</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
        + markup.soft(markup.safe(note))
    )


def _line(
    row: StandingRow,
    shown: Sequence[StandingRow],
    met: Crosstable,
    bots: dict[str, str],
    scope: dict[str, str],
) -> str:
    fields = "".join(
        _field(row, other, met.get((row.version_id, other.version_id)), scope) for other in shown
    )
    target = markup.address("bot", id=bots[row.version_id])
    name = markup.link(target, f"{row.owner}/{row.bot}")
    return (
        f'<tr><td class=r><b class="ix-rank">{row.rank}</b></td>'
        f'<th scope="row">{name} <span class=soft>v{row.version}</span></th>{fields}</tr>'
    )


def _field(
    row: StandingRow,
    other: StandingRow,
    meeting: Meeting | None,
    scope: dict[str, str],
) -> str:
    if meeting is None:
        return '<td class="ix-self"></td>' if row == other else "<td class=soft>-</td>"
    target = markup.address(
        "matches",
        **scope,
        bot=f"{row.owner}/{row.bot}",
        against=f"{other.owner}/{other.bot}",
    )
    count = plural("{count} pair", "{count} pairs", meeting.pairs)
    title = _("{one} against {other}: {count}").format(
        one=_name(row), other=_name(other), count=count
    )
    css, strength = (
        ("ix-up", meeting.share) if meeting.share >= 0.5 else ("ix-down", 1 - meeting.share)
    )
    return (
        f'<td class="{css}" style="--strength:{2 * strength - 1:.2f}" title="{markup.safe(title)}">'
        f"{markup.link(target, f'{100 * meeting.share:.0f}')}"
        f"<small>{meeting.pairs}</small></td>"
    )


def _name(row: StandingRow) -> str:
    return f"{row.owner}/{row.bot} v{row.version}"
