"""Ratings over time, drawn from the completed slots of a ladder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from arena_service.figures import signed
from arena_service.store.histories import RatingPoint
from dashboard.charts import curves
from dashboard.charts.curves import Curve, Point
from dashboard.i18n.text import _
from dashboard.views import markup, wording


def show(points: Iterable[RatingPoint]) -> None:
    """One curve for each bot, its newest version's where two of them played in one slot."""
    found = _curves(points)
    if not found:
        text = _("Ratings appear when the first slot is complete.")
        markup.show(f'<p class="ix-empty">{markup.safe(text)}</p>')
        return
    markup.draw(curves.draw(found, _("Ratings over time"), _("slot")))
    note = _(
        "A label such as v2 marks the first slot of a new version. 0 is the mean of the ladder."
    )
    if len(found) > curves.MAX_CURVES:
        note += " " + _("Only the {count} strongest are drawn.").format(count=curves.MAX_CURVES)
    markup.show(markup.soft(markup.safe(note)))


def _curves(points: Iterable[RatingPoint]) -> list[Curve]:
    """The strongest last first."""
    newest: dict[tuple[str, str], dict[int, RatingPoint]] = defaultdict(dict)
    for point in points:
        bot = newest[point.owner, point.bot]
        known = bot.get(point.slot)
        if known is None or known.version < point.version:
            bot[point.slot] = point
    found = [
        Curve(_name(owner, bot, newest), tuple(_point(slots[slot]) for slot in sorted(slots)))
        for (owner, bot), slots in newest.items()
    ]
    return sorted(found, key=lambda curve: (-curve.points[-1].value, curve.name))


def _name(owner: str, bot: str, drawn: Iterable[tuple[str, str]]) -> str:
    """The bot's name; with its owner where another one is called the same."""
    alone = sum(name == bot for _owner, name in drawn) == 1
    return bot if alone else f"{owner}/{bot}"


def _point(point: RatingPoint) -> Point:
    said = _("{owner}/{bot} v{version}, slot {slot} ({when}): {value} ± {error}").format(
        owner=point.owner,
        bot=point.bot,
        version=point.version,
        slot=point.slot,
        when=wording.moment(point.at),
        value=signed(point.value),
        error=f"{point.error:.0f}",
    )
    return Point(point.slot, point.value, point.error, point.version, said)
