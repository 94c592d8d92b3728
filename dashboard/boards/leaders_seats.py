"""The seats of Hidden Leaders: Duel: a panel each, with its hand, its Council and its leader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards.fitting import Line, fitted
from dashboard.boards.leaders_cards import hero, leader, leader_back
from dashboard.boards.leaders_fresh import Fresh, places
from dashboard.boards.leaders_signs import disc, pill
from dashboard.boards.leaders_standing import out_of_sight
from dashboard.boards.svg import text
from dashboard.i18n.text import _

View = Mapping[str, Any]

HEIGHT = 132
HAND, COUNCIL, LEADER = 34, 428, 946  # where they begin
SCALE, PITCH, WIDEST = 0.8, 61, 480
NAME, NOTE = (18.5, 262), (15.5, 380)  # the size on a phone, and the room


def draw(view: View, seat: int, name: str, new: Fresh, y: float, wins: bool) -> str:
    """A seat's panel, its upper edge at y."""
    badge = _("to act") if view["actor"] == seat else _("wins") if wins else ""
    title = Line(name, NAME[0], bold=True)
    return (
        f'<rect class="seat{" now" if badge else ""}" x="14" y="{y:g}" width="1152" '
        f'height="{HEIGHT}" rx="14"/>'
        + disc(seat, 44, y + 23)
        + fitted(62, y + 29, "p", title, NAME[1])
        + (pill(74 + title.within(NAME[1]).width, y + 12, badge) if badge else "")
        + _hand(view, seat, new, y)
        + f'<g class="council">{_council(view, seat, new, y)}</g>'
        + f'<g class="leader">{_leader(view, seat, y)}</g>'
    )


def _hand(view: View, seat: int, new: Fresh, y: float) -> str:
    heroes = view["hands"][seat]
    if not heroes:
        return text(HAND, y + 86, "s", _("no heroes left"))
    came = places(heroes, new.hand) if new.seat == seat else set()
    return _line(heroes, HAND, y + 42, came)


def _council(view: View, seat: int, new: Fresh, y: float) -> str:
    heroes, over = view["councils"][seat], view["actor"] < 0
    came = places(heroes, (new.council,)) if new.seat == seat and new.council else set()
    seen = out_of_sight(view, seat)
    note = _("taken in sight, now hidden: {heroes}").format(heroes=" ".join(seen)) if seen else ""
    return (
        text(COUNCIL, y + 28, "h", _("Council"))
        + fitted(COUNCIL + WIDEST, y + 28, "s", Line(note, NOTE[0]), NOTE[1], "end")
        + (
            _line(heroes, COUNCIL, y + 42, came, over)
            if heroes
            else text(COUNCIL, y + 86, "s", _("nobody yet") if not over else _("nobody"))
        )
    )


def _line(heroes: Sequence[str], x: float, y: float, came: set[int], up: bool = False) -> str:
    """Heroes side by side, overlapping where they must."""
    step = min(PITCH, (WIDEST - PITCH) / max(len(heroes) - 1, 1))
    return "".join(
        hero(code, x + step * i, y, SCALE, up=up, css="now" if i in came else "")
        for i, code in enumerate(heroes)
    )


def _leader(view: View, seat: int, y: float) -> str:
    factions = view["leaders"][seat]
    values = {card["factions"]: card["value"] for card in view["leader_cards"]}
    secret = _("Leader · face down") if view["actor"] >= 0 else _("Leader")
    card = (
        leader(factions, values[factions], LEADER, y + 42)
        if factions
        else leader_back(LEADER, y + 42)
    )
    return text(LEADER, y + 28, "h", secret) + card
