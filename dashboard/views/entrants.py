"""Who plays in a tournament: names with links, and who left with what still counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_service.store.courses import EntrantRow
from arena_service.store.states import DepartureKind
from dashboard.i18n.text import _
from dashboard.views import markup, wording


def short_names(entrants: Sequence[EntrantRow]) -> dict[str, str]:
    """By version the shortest names that tell all of them apart."""
    names = wording.short_names(entrants)
    return {each.version_id: name for each, name in zip(entrants, names, strict=True)}


def full_name(entrant: EntrantRow) -> str:
    """Owner, bot and version."""
    return f"{entrant.owner}/{entrant.bot} v{entrant.version}"


def cell(entrant: EntrantRow, bots: Mapping[str, str], strong: bool = True) -> str:
    """The name with a link to its page; `bots` are the ids of the bots by version."""
    tag = "b" if strong else "span"
    name = markup.link(markup.address("bot", id=bots[entrant.version_id]), entrant.bot)
    left = f" {_badge(entrant)}" if entrant.left else ""
    return (
        f'<{tag} class="ix-entrant">{name}</{tag}>'
        f" <span class=soft>v{entrant.version} · {markup.safe(entrant.owner)}</span>{left}"
    )


def leavers(entrants: Sequence[EntrantRow], bots: Mapping[str, str]) -> str:
    """Who left, why, and what of it counts; nothing when nobody did."""
    gone = [each for each in entrants if each.left]
    if not gone:
        return ""
    heads = [_("Bot"), _("Reason"), _("What counts")]
    rows = [
        [cell(each, bots), markup.safe(each.reason or "-"), markup.safe(_counts(each))]
        for each in gone
    ]
    return markup.heading(_("Who left")) + markup.table(heads, rows, frozenset())


def _badge(entrant: EntrantRow) -> str:
    disqualified = entrant.left == DepartureKind.DISQUALIFIED
    return markup.badge(wording.departure(entrant.left), "bad" if disqualified else "plain")


def _counts(entrant: EntrantRow) -> str:
    if entrant.left == DepartureKind.DISQUALIFIED:
        return _("Nothing it played, for anybody. The rest is not played.")
    return _("The pairs it has played. The rest is not played.")
