"""The King Is Dead's board: the map, the row of power struggles, the seats, and the last turn.

Drawn from one viewer's view alone: what that viewer may not see is not in the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from dashboard.boards import king_map, king_seats, king_story
from dashboard.boards.fitting import Line, fitted
from dashboard.boards.king_moves import TEAM_SEATS, exchanged, ranking, struggled
from dashboard.boards.king_signs import FACTIONS, STYLE, disc, token
from dashboard.boards.placing import placing
from dashboard.boards.svg import short_names, stage, text
from dashboard.i18n.text import _

View = Mapping[str, Any]
WIDTH, HEIGHT = 1000, 748
LEFT, CARD = 486, (122, 34)  # the right column; the size of a region card
STORY, NAME = 474, 260  # how wide its lines may be, and a name in them


def render(view: View, last_action: Mapping[str, Any] | None, names: Sequence[str] = ()) -> str:
    """One position as SVG; what `last_action` (seat, action) did is in gold, `names` by seat."""
    seats = range(len(view["courts"]))
    labels = tuple(names) or tuple(_("Seat {seat}").format(seat=seat) for seat in seats)
    last = str(last_action["action"]) if last_action else ""
    ranks = placing("king_is_dead", view)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'preserveAspectRatio="xMidYMin meet" class="board king" role="img" '
        'style="--verdict-x:73.6%;--verdict-y:2.5%" '
        f'aria-label="{escape(_summary(view, labels))}">{STYLE}'
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="16" '
        'style="fill:var(--paper)"/>'
        f'<g class="map">{king_map.draw(view, last)}</g>'
        f'<g class="row">{_row(view, last)}{_standing(view)}</g>'
        f'<g class="seats">{king_seats.draw(view, last_action, labels, ranks)}</g>'
        f'<g class="story">{_story(view, last_action, labels, ranks)}</g></svg>'
    )


def _summary(view: View, names: Sequence[str]) -> str:
    return _("The King Is Dead, {count} of 8 power struggles decided. {stage}").format(
        count=view["resolved"], stage=stage(view["actor"], names)
    )


def _row(view: View, last: str) -> str:
    """The region cards in the order in which they are fought over."""
    passes = _("passes {count} of {needed}").format(
        count=view["passes"], needed=len(view["courts"])
    )
    cards = "".join(_card(view, space, last) for space in range(len(view["row"])))
    return (
        text(LEFT + 2, 30, "h", _("Power struggles in order"))
        + text(LEFT + 500, 30, "soft", passes, "end")
        + cards
    )


def _card(view: View, space: int, last: str) -> str:
    region = view["row"][space]
    x, y = LEFT + space % 4 * (CARD[0] + 4), 40 + space // 4 * (CARD[1] + 5)
    next_one = space == view["resolved"] and view["actor"] >= 0
    fresh = region in exchanged(last) or region == struggled(view)
    css = "card" + (" now" if next_one or fresh else "") + (" glow" if fresh else "")
    done = space < view["resolved"]
    sign = (
        disc(view["discs"][region], x + 14, y + 17, 10)
        if done
        else text(x + 14, y + 23, "num few", str(space + 1), "middle")
    )
    return (
        f'<rect class="{css}" x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="8"/>'
        + sign
        + text(x + 28, y + 22, "place small", region.title())
        + _negotiated(view["negotiated"][region], x + CARD[0] - 4, y + 4)
    )


def _negotiated(seat: int, x: float, y: float) -> str:
    """The negotiation disc that holds the card in place, with the number of its seat."""
    if seat < 0:
        return ""
    return (
        f'<circle cx="{x}" cy="{y}" r="9" style="fill:#fff;stroke:#2a2622;stroke-width:1.3"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle" '
        f'style="font-size:11px;font-weight:700;fill:#2a2622">{seat}</text>'
    )


def _standing(view: View) -> str:
    """How many regions each faction holds, and how they rank for the coronation."""
    order = ranking(view)
    held = list(view["discs"].values())
    parts = [text(LEFT + 2, 141, "h", _("Regions held"))]
    for place, faction in enumerate(FACTIONS):
        x, count = LEFT + 190 + 112 * place, held.count(faction)
        parts.append(token(faction, x, 136, 0.85))
        parts.append(text(x + 18, 142, "num" if count else "num few", str(count)))
        if count:
            rank = _("rank {rank}").format(rank=order.index(faction) + 1)
            parts.append(text(x + 36, 141, "soft", rank))
    return "".join(parts)


def _story(
    view: View, last: Mapping[str, Any] | None, names: Sequence[str], ranks: Sequence[int]
) -> str:
    """The last turn in words, or who won."""
    room = NAME / 2 if len(names) == TEAM_SEATS else NAME
    short = [Line(name, 16, bold=True).within(room).content for name in short_names(names)]
    actor = short[last["seat"] if last else view["actor"]]
    title = king_story.verdict(view, ranks, short) if ranks else king_story.headline(view, actor)
    more = king_story.details(view) if last else [_("{name} begins").format(name=actor)]
    return (
        f'<rect class="panel" x="{LEFT}" y="668" width="500" height="66" rx="12"/>'
        + fitted(LEFT + 14, 689, "p", Line(title, 16, bold=True), STORY)
        + "".join(
            fitted(LEFT + 14, 707 + 17 * line, "", Line(words, 13), STORY)
            for line, words in enumerate(more)
        )
    )
