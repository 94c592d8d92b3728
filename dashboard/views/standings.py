"""The table of a ladder or a tournament, and as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields

from arena_service.figures import signed
from arena_service.store import bot_pages
from arena_service.store.queries import StandingRow
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.views import markup
from dashboard.views.export import to_csv
from dashboard.views.wording import interval, of_more_seats, percent, record_heading


def table(
    rows: Sequence[StandingRow], seats: int, scope: dict[str, str], rated_slot: int = 0
) -> str:
    """Rows best first, of matches of so many seats.

    `scope` is the parameter that narrows the matches to this competition, `rated_slot` the slot of
    a ladder that its ratings were fitted after.
    """
    if not rows:
        return f'<p class="ix-empty">{markup.safe(_("Nobody has entered yet."))}</p>'
    rated = any(row.rating is not None for row in rows)
    title = _("Rating after slot {slot}").format(slot=rated_slot) if rated_slot else _("Rating")
    heads = [
        "",
        _("Bot"),
        *([title] if rated else []),
        _("Credit"),
        _("95 % interval"),
        record_heading(seats),
        _("Pairs"),
        _("Faults"),
    ]
    bots = bot_pages.bot_ids(arena.database(), [row.version_id for row in rows])
    cells = [_row(row, bots[row.version_id], scope, rated) for row in rows]
    numeric = {0, 2, 5, 6} if not rated else {0, 2, 3, 6, 7}
    return markup.table(heads, cells, frozenset(numeric)) + _legend(len(rows), seats)


def to_file(rows: Sequence[StandingRow]) -> str:
    """The rows as CSV, one column for each field."""
    return to_csv([field.name for field in fields(StandingRow)], [astuple(row) for row in rows])


def _row(row: StandingRow, bot: str, scope: dict[str, str], rated: bool) -> list[str]:
    return [
        f'<b class="ix-rank">{row.rank if row.pairs else "-"}</b>',
        f'<b class="ix-name">{markup.link(markup.address("bot", id=bot), row.bot)}</b>'
        f" <span class=soft>v{row.version} · {markup.safe(row.owner)}</span>",
        *([rating(row)] if rated else []),
        percent(row.credit) if row.pairs else "<span class=soft>-</span>",
        _bar(row) if row.pairs else "",
        _record(row),
        str(row.pairs),
        _faults(row, scope),
    ]


def _record(row: StandingRow) -> str:
    total = row.wins + row.draws + row.losses
    if not total:
        return "<span class=soft>-</span>"
    parts = "".join(
        f'<i class="{css}" style="width:{100 * count / total:.1f}%"></i>'
        for css, count in (("w", row.wins), ("d", row.draws), ("l", row.losses))
        if count
    )
    words = f"{row.wins} - {row.draws} - {row.losses}"
    return f'<span class="ix-wdl">{words}</span><span class="ix-stack">{parts}</span>'


def _bar(row: StandingRow) -> str:
    low, high = 100 * row.credit_low, 100 * row.credit_high
    title = interval(row.credit_low, row.credit_high)
    return (
        f'<div class="ix-bar" title="{markup.safe(title)}">'
        f'<i style="left:{low:.1f}%;width:{max(high - low, 1):.1f}%"></i>'
        f'<b style="left:{100 * row.credit:.1f}%"></b></div>'
    )


def rating(row: StandingRow) -> str:
    """The rating with its standard error, or a dash."""
    if row.rating is None:
        return "<span class=soft>-</span>"
    error = "" if row.error is None else f" <span class=soft>± {row.error:.0f}</span>"
    return f"<b>{signed(row.rating)}</b>{error}"


def _faults(row: StandingRow, scope: dict[str, str]) -> str:
    if not row.faults:
        return "<span class=soft>0</span>"
    target = markup.address("matches", **scope, bot=f"{row.owner}/{row.bot}", state="fault")
    return markup.link(target, row.faults)


def _legend(count: int, seats: int) -> str:
    note = (
        plural("{count} bot.", "{count} bots.", count)
        + " "
        + _(
            "A pair is one deal played once for every rotation of the seats; credit is the share of"
            " points, with its interval computed over pairs."
        )
    )
    if seats > 2:
        note += " " + of_more_seats()
    return markup.soft(markup.safe(note))
