"""The seats of The King Is Dead: a panel each, with its court and its hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards import king_cards
from dashboard.boards.king_moves import TEAM_SEATS, moved, team, turn
from dashboard.boards.king_signs import FACTIONS, delta, pill, token
from dashboard.boards.svg import shorten, text
from dashboard.i18n.text import _, plural

View = Mapping[str, Any]

LEFT, WIDTH = 486, 500
TOP, BOTTOM, GAP = 158, 660, 8
HEAD, EDGE = 48, 10
COLUMNS, ROWS, BETWEEN = 4, 2, 5


def draw(
    view: View, last: Mapping[str, Any] | None, names: Sequence[str], ranks: Sequence[int]
) -> str:
    """All seats in their order; `ranks` are empty while the match goes on."""
    count = len(view["courts"])
    height = (BOTTOM - TOP - GAP * (count - 1)) / count
    return "".join(
        _panel(view, seat, last, names[seat], ranks, TOP + seat * (height + GAP), height)
        for seat in range(count)
    )


def _panel(
    view: View,
    seat: int,
    last: Mapping[str, Any] | None,
    name: str,
    ranks: Sequence[int],
    y: float,
    height: float,
) -> str:
    acting = view["actor"] == seat
    just = str(last["action"]) if last and last["seat"] == seat else ""
    badge = _("to act") if acting else _("wins") if _won(seat, ranks) else ""
    return (
        f'<rect class="panel{" now" if badge else ""}" x="{LEFT}" y="{y:g}" width="{WIDTH}" '
        f'height="{height:g}" rx="12"/>'
        + text(LEFT + 14, y + 22, "p", shorten(name, 32))
        + text(LEFT + 14, y + 39, "soft", _place(view, seat))
        + (pill(LEFT + 258, y + 35, badge) if badge else "")
        + _court(view, seat, just, y)
        + _hand(view, seat, just, y + HEAD, height - HEAD - EDGE)
    )


def _won(seat: int, ranks: Sequence[int]) -> bool:
    return bool(ranks) and ranks[seat] == 1 and set(ranks) != {1}


def _place(view: View, seat: int) -> str:
    """Seat, team, cards that are left, and the sets that an invasion would count."""
    words = [_("seat {seat}").format(seat=seat)]
    if len(view["courts"]) == TEAM_SEATS:
        words.append(_("team {team}").format(team="AB"[team(view, seat)]))
    words.append(plural("{count} card", "{count} cards", view["hand_sizes"][seat]))
    words.append(plural("{count} set", "{count} sets", _sets(view, seat)))
    return " · ".join(words)


def _court(view: View, seat: int, just: str, y: float) -> str:
    court = view["courts"][seat]
    summoned = [each.group for each in moved(just) if just.startswith("summon ")]
    parts = []
    for place, (faction, count) in enumerate(zip(FACTIONS, court, strict=True)):
        x = LEFT + 352 + 52 * place
        if faction in summoned:
            parts.append(
                f'<rect class="glow now" x="{x - 17:g}" y="{y + 5:g}" width="50" height="32" '
                f'rx="9" style="stroke-width:2"/>{delta(x + 20, y + 39, 1)}'
            )
        parts.append(token(faction, x, y + 21, 0.95))
        parts.append(text(x + 17, y + 27, "num" if count else "num few", str(count)))
    return "".join(parts)


def _sets(view: View, seat: int) -> int:
    """Complete sets of the court; partners count theirs together."""
    courts = [c for s, c in enumerate(view["courts"]) if team(view, s) == team(view, seat)]
    return min(map(sum, zip(*courts, strict=True)))


def _hand(view: View, seat: int, just: str, y: float, height: float) -> str:
    width = (WIDTH - 2 * EDGE - BETWEEN * (COLUMNS - 1)) / COLUMNS
    size = width, (height - BETWEEN) / ROWS
    card = turn(view)[0].removeprefix("play ") if just else ""
    slots = king_cards.slots(view, seat)
    latest = max((i for i, s in enumerate(slots) if s.played and s.card == card), default=-1)
    return "".join(
        king_cards.draw(
            slot,
            LEFT + EDGE + (width + BETWEEN) * (place % COLUMNS),
            y + (size[1] + BETWEEN) * (place // COLUMNS),
            size,
            place == latest,
        )
        for place, slot in enumerate(slots)
    )
