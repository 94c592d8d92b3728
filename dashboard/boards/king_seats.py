"""The seats of The King Is Dead: a panel each, with its court and its hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards import king_cards
from dashboard.boards.fitting import Line, fitted
from dashboard.boards.king_moves import TEAM_SEATS, moved, team, turn
from dashboard.boards.king_signs import FACTIONS, delta, pill, token
from dashboard.boards.svg import text
from dashboard.i18n.text import _, plural

View = Mapping[str, Any]

LEFT, WIDTH = 486, 500
TOP, BOTTOM, GAP = 158, 660, 8
HEAD, EDGE = 48, 10
COLUMNS, ROWS, BETWEEN = 4, 2, 5
COURT, BADGE = 352, 250  # where they begin, from the left edge
ROOM = 312  # for words beside the court
PLOT = "plot"


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
        + fitted(LEFT + 14, y + 22, "p", Line(name, 16, bold=True), ROOM)
        + fitted(LEFT + 14, y + 39, "soft", Line(_place(view, seat), 12), ROOM)
        + (pill(LEFT + BADGE, y, badge) if badge else "")
        + _court(view, seat, just, y)
        + _hand(view, seat, just, y + HEAD, height - HEAD - EDGE)
    )


def _won(seat: int, ranks: Sequence[int]) -> bool:
    return bool(ranks) and ranks[seat] == 1 and set(ranks) != {1}


def _place(view: View, seat: int) -> str:
    """Seat, cards that are left, and the sets that an invasion would count, for a team together."""
    count, plot = _sets(view, seat)
    sets = plural("{count} set", "{count} sets", count)
    if plot:
        sets = _("{sets} with {card}").format(sets=sets, card=king_cards.card_names()[PLOT])
    if len(view["courts"]) == TEAM_SEATS:
        side = _("team {team}").format(team="AB"[team(view, seat)])
        sets = f"{side}: {sets}"
    cards = plural("{count} card", "{count} cards", view["hand_sizes"][seat])
    return " · ".join([_("seat {seat}").format(seat=seat), cards, sets])


def _court(view: View, seat: int, just: str, y: float) -> str:
    court = view["courts"][seat]
    summoned = [each.group for each in moved(just) if just.startswith("summon ")]
    parts = []
    for place, (faction, count) in enumerate(zip(FACTIONS, court, strict=True)):
        x = LEFT + COURT + 52 * place
        if faction in summoned:
            parts.append(
                f'<rect class="glow now" x="{x - 17:g}" y="{y + 5:g}" width="50" height="32" '
                f'rx="9" style="stroke-width:2"/>{delta(x + 20, y + 39, 1)}'
            )
        parts.append(token(faction, x, y + 21, 0.95))
        parts.append(text(x + 17, y + 27, "num" if count else "num few", str(count)))
    return "".join(parts)


def _sets(view: View, seat: int) -> tuple[int, bool]:
    """Complete sets of the court, with partners together, and whether Plot is one of them.

    Plot is a follower of the smallest faction, for those who see who holds it.
    """
    side = [s for s in range(len(view["courts"])) if team(view, s) == team(view, seat)]
    followers = list(map(sum, zip(*(view["courts"][s] for s in side), strict=True)))
    plot = any(PLOT in view["hands"][s] for s in side)
    if plot:
        followers[followers.index(min(followers))] += 1
    return min(followers), plot


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
