"""The standings of a ladder, how far its slot is, and where to go from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields

import streamlit as st

from arena_service.store import ladders, queries
from arena_service.store.ladders import LadderRow
from arena_service.store.queries import StandingRow, Standings
from dashboard import arena
from dashboard.i18n.text import _, plural
from dashboard.views import markup, parameters
from dashboard.views.export import to_csv

REFRESH_SECONDS = 5


def page() -> None:
    """One ladder, chosen by the address or from the list."""
    known = ladders.all_ladders(arena.database())
    if not known:
        st.title(_("Ladders"))
        st.info(_("There is no ladder yet. Create one with `interrex ladder create`."))
        return
    asked = parameters.identifier("ladder")
    ladder = next((entry for entry in known if asked in (entry.id, entry.name)), None)
    if asked and ladder is None:
        st.warning(_("There is no such ladder; here is the first one."))
    ladder = ladder or known[0]
    markup.show(_other_ladders([(entry.id, entry.name) for entry in known], ladder.id))
    st.title(_plain(ladder.name))
    markup.show(f'<p class="ix-soft">{markup.safe(_about(ladder))}</p>')
    _standings(ladder.id)
    st.download_button(_("Standings as CSV"), lambda: _csv(ladder.id), "standings.csv", "text/csv")


def _about(ladder: LadderRow) -> str:
    return _("{game}, {seats} seats, {pairs} pairs a slot; slots by {cron} ({timezone})").format(
        game=ladder.game,
        seats=ladder.seats,
        pairs=ladder.pairs_per_slot,
        cron=ladder.cron,
        timezone=ladder.timezone,
    )


def _csv(ladder: str) -> str:
    heads = [field.name for field in fields(StandingRow)]
    rows = queries.standings(arena.database(), ladder).rows
    return to_csv(heads, [astuple(row) for row in rows])


def _plain(name: str) -> str:
    """The name without anything that Markdown would take for markup."""
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!<>|~$:" else c for c in name)


def _other_ladders(known: Sequence[tuple[str, str]], current: str) -> str:
    links = [
        f"<b>{markup.safe(name)}</b>"
        if key == current
        else markup.link(markup.address("ladders", ladder=key), name)
        for key, name in known
    ]
    return f'<nav class="ix-soft">{" · ".join(links)}</nav>' if len(known) > 1 else ""


@st.fragment(run_every=REFRESH_SECONDS)
def _standings(ladder: str) -> None:
    found = queries.standings(arena.database(), ladder)
    running = queries.progress(arena.database(), ladder)
    markup.show(
        _progress(found, len(running.running) if running else 0)
        + _table(found.rows)
        + _footer(ladder, found)
    )


def _progress(found: Standings, running: int) -> str:
    if not found.slot:
        return f'<p class="ix-soft">{markup.safe(_("The first slot has not started yet."))}</p>'
    share = found.pairs_done / found.pairs_planned if found.pairs_planned else 0.0
    words = _("Slot {slot}: {done} of {planned} pairs played").format(
        slot=found.slot, done=found.pairs_done, planned=found.pairs_planned
    )
    if running:
        words += " · " + plural("{count} match runs", "{count} matches run", running)
    return (
        f'<p class="ix-soft">{markup.safe(words)}</p><div class="ix-progress">'
        f'<i style="width:{100 * share:.1f}%"></i></div>'
    )


def _table(rows: Sequence[StandingRow]) -> str:
    if not rows:
        return f"<p>{markup.safe(_('Nobody has entered yet.'))}</p>"
    heads = [
        "",
        _("Bot"),
        _("Pairs"),
        _("W - D - L"),
        _("Credit"),
        _("95 % interval"),
        _("Rating"),
        _("Faults"),
    ]
    return markup.table(heads, [_row(row) for row in rows], frozenset({0, 2, 3, 4, 6, 7}))


def _row(row: StandingRow) -> list[str]:
    return [
        str(row.rank),
        f"<b>{markup.safe(row.bot)}</b> <span class=soft>v{row.version}"
        f" · {markup.safe(row.owner)}</span>",
        str(row.pairs),
        f"{row.wins} - {row.draws} - {row.losses}",
        _percent(row.credit),
        _bar(row),
        _rating(row),
        str(row.faults) if row.faults else "<span class=soft>0</span>",
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _bar(row: StandingRow) -> str:
    low, high = 100 * row.credit_low, 100 * row.credit_high
    title = _("{low} to {high}").format(
        low=_percent(row.credit_low), high=_percent(row.credit_high)
    )
    return (
        f'<div class="ix-bar" title="{markup.safe(title)}">'
        f'<i style="left:{low:.1f}%;width:{max(high - low, 1):.1f}%"></i>'
        f'<b style="left:{100 * row.credit:.1f}%"></b></div>'
    )


def _rating(row: StandingRow) -> str:
    if row.rating is None:
        return "<span class=soft>-</span>"
    error = "" if row.error is None else f" <span class=soft>± {row.error:.0f}</span>"
    return f"{row.rating:+.0f}{error}"


def _footer(ladder: str, found: Standings) -> str:
    parts = [markup.link(markup.address("matches", ladder=ladder), _("All matches"))]
    when = f"{found.next_due:%Y-%m-%d %H:%M} UTC"
    parts.append(markup.safe(_("next slot {when}").format(when=when)))
    lines = f'<p class="ix-soft">{" · ".join(parts)}</p>'
    note = _("Commitment to the key of the next slot")
    code = f"<code>{markup.safe(found.commitment)}</code>"
    return f'{lines}<p class="ix-soft">{markup.safe(note)}: {code}</p>{_legend(len(found.rows))}'


def _legend(count: int) -> str:
    note = (
        plural("{count} bot.", "{count} bots.", count)
        + " "
        + _(
            "A pair is one deal played twice with the seats swapped; credit is the share of points,"
            " with its interval computed over pairs."
        )
    )
    return f'<p class="ix-soft">{markup.safe(note)}</p>'
