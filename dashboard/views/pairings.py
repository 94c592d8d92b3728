"""The groups of a slot, and why they met: rating gap, waiting, first opponents."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from arena_service.formats.candidates import FIRST_OPPONENTS
from arena_service.store.pairings import MatchedRow
from dashboard.i18n.text import _, plural
from dashboard.views import markup, wording

Group = Sequence[MatchedRow]


def show(slot: int, groups: Sequence[Group]) -> str:
    """The groups in the order of the plan."""
    title = markup.heading(_("Who met in slot {slot}").format(slot=slot))
    if not groups:
        return title + f'<p class="ix-empty">{markup.safe(_("The entries are still open."))}</p>'
    heads = [_("Bots"), _("Rating gap"), _("Before the slot")]
    rows = [[_names(group), _gap(group), markup.safe(_before(group))] for group in groups]
    note = _(
        "As it was when the entries closed: how far apart the ratings were, with the standard error"
        " of the gap, who had waited, and who had met fewer than {count} opponents. Small fields"
        " meet whole; in larger ones those meet of whom it is most open who is stronger."
    ).format(count=FIRST_OPPONENTS)
    return title + markup.table(heads, rows, frozenset({1})) + markup.soft(markup.safe(note))


def _names(group: Group) -> str:
    return " - ".join(
        markup.link(markup.address("bot", id=each.bot_id), each.bot)
        + f" <span class=soft>v{each.version} · {markup.safe(each.owner)}</span>"
        for each in group
    )


def _gap(group: Group) -> str:
    """Of the strongest and the weakest; a dash while one of them has no rating."""
    rated = [
        (each.known.rating, each.known.error)
        for each in group
        if each.known.rating is not None and each.known.error is not None
    ]
    if len(rated) < len(group):
        return "<span class=soft>-</span>"
    (low, one), (high, other) = min(rated), max(rated)
    return f"<b>{high - low:.0f}</b> <span class=soft>± {hypot(one, other):.0f}</span>"


def _before(group: Group) -> str:
    said = []
    for row, name in zip(group, wording.short_names(group), strict=True):
        if row.known.waited:
            waited = plural("waited {count} slot", "waited {count} slots", row.known.waited)
            said.append(f"{name}: {waited}")
        if len(row.known.met) < FIRST_OPPONENTS:
            met = plural("{count} opponent so far", "{count} opponents so far", len(row.known.met))
            said.append(f"{name}: {met}")
    return ", ".join(said)
