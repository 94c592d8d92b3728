"""The two rows of Hidden Leaders: Duel with their blockers, and the pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.boards.fitting import Line, fitted
from dashboard.boards.leaders_cards import HEIGHT, WIDTH, hero
from dashboard.boards.leaders_fresh import Fresh
from dashboard.boards.leaders_signs import disc
from dashboard.boards.leaders_standing import ROW, keepers, row_of
from dashboard.boards.svg import text
from dashboard.i18n.text import _, plural

View = Mapping[str, Any]

LEFT, TOP, GROUND = 14, 154, (792, 444)
FIRST, PITCH = 50, 95
ROW_TOPS = (210, 408)  # of the far and of the near row
OFFSET = 14, 58  # of a blocker against the hero that it covers
PILE = 754, 326  # the middle of the pile's upper edge
TURNS = 14


def draw(view: View, new: Fresh, names: Sequence[str], below: int) -> str:
    """The table; the row of the seat `below` is the nearer one."""
    rows = zip((1 - below, below), ROW_TOPS, strict=True)
    return (
        f'<rect class="ground" x="{LEFT}" y="{TOP}" width="{GROUND[0]}" height="{GROUND[1]}" '
        'rx="14"/>'
        + text(FIRST, TOP + 26, "h", _headline(view))
        + "".join(_row(view, row, y, new, names) for row, y in rows)
        + _legend(view)
    )


def _headline(view: View) -> str:
    if view["actor"] < 0:
        return _("All rows are open")
    steps = {
        "take": _("take heroes"),
        "return": _("return heroes"),
        "play": _("play one hero"),
    }
    return _("Turn {turn} of {turns} · {step}").format(
        turn=view["turn"] + 1, turns=TURNS, step=steps[view["step"]]
    )


def _row(view: View, row: int, y: float, new: Fresh, names: Sequence[str]) -> str:
    middle = y + HEIGHT / 2 + OFFSET[1] / 2
    label = Line(_("Row of {name}").format(name=names[row]), 15.5)
    turned = f'transform="translate(36 {middle:g}) rotate(-90)"'
    owners = keepers(view) if view["actor"] < 0 else None
    slots = range(ROW * row, ROW * (row + 1))
    return f"<g {turned}>{fitted(0, 0, 's', label, 190, 'middle')}</g>" + "".join(
        text(x + WIDTH / 2, y - 6, "s", str(slot), "middle")
        + (_vacant(x, y, slot in new.vacant) if not view["slots"][slot]["hero"] else "")
        + "".join(_lying(each, owners) for each in _lie(view["slots"][slot], slot, x, y, new))
        for slot, x in zip(slots, range(FIRST, FIRST + PITCH * ROW, PITCH), strict=True)
    )


def _vacant(x: float, y: float, now: bool) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8"'
    return f'<rect class="slot{" now" if now else ""}" {place}/>'


@dataclass(frozen=True)
class _Lying:
    """A hero in a row, its left upper corner, and the seat that laid it to block another, or -1."""

    hero: str
    row: int
    x: float
    y: float
    face_up: bool
    now: bool
    blocks_for: int = -1


def _lie(slot: View, number: int, x: float, y: float, new: Fresh) -> list[_Lying]:
    """The hero of a slot, and its blocker."""
    row, (right, down) = row_of(number), OFFSET
    lie = []
    if slot["hero"]:
        laid = number in new.laid
        lie.append(_Lying(slot["hero"], row, x, y, slot["face_up"], laid))
    if slot["blocker"]:
        code, seat, now = slot["blocker"], slot["blocked_by"], number == new.blocked
        lie.append(_Lying(code, row, x + right, y + down, False, now, seat))
    return lie


def _lying(each: _Lying, owners: Mapping[tuple[int, str], int] | None) -> str:
    """During the game with who blocks; at the end open, with who keeps it, grey if nobody does."""
    css = "now" if each.now else ""
    corner = each.x + WIDTH - 7, each.y + 7
    if owners is None:
        badge = disc(each.blocks_for, *corner) if each.blocks_for >= 0 else ""
        return hero(each.hero, each.x, each.y, up=each.face_up, css=css) + badge
    owner = owners.get((each.row, each.hero[0]))
    if owner is None:
        return hero(each.hero, each.x, each.y, up=True, css=f"{css} lost".strip())
    return hero(each.hero, each.x, each.y, up=True, css=css) + disc(owner, *corner, won=True)


def _legend(view: View) -> str:
    """What light and solid cards mean; at the end the circles."""
    y = TOP + GROUND[1] - 10
    if view["actor"] < 0:
        return text(FIRST, y, "s", _("circle: who keeps the hero · grey: nobody can keep it"))
    own = view["viewer"] >= 0
    hidden = _("face down; you know those with a strength") if own else _("face down")
    size = f'y="{y - 14}" width="13" height="18" rx="3"'
    return (
        f'<rect class="face" x="{FIRST}" {size}/>'
        + text(FIRST + 20, y, "s", _("face up"))
        + f'<rect class="solid R" x="{FIRST + 130}" {size}/>'
        + text(FIRST + 150, y, "s", hidden)
    )


def pile(view: View) -> str:
    """The draw pile: its top hero as the viewer sees it, and how many are left."""
    x, y = PILE
    cards = view["pile"]
    head = text(x, y - 12, "h", _("Pile"), "middle")
    left = text(x, y + 100, "s", plural("{count} left", "{count} left", len(cards)), "middle")
    if not cards:
        place = f'x="{x - 28}" y="{y}" width="56" height="78.4" rx="7"'
        return f'{head}<rect class="slot" {place}/>{left}'
    under = "".join(
        hero("?", x - 28 + 3 * i, y + 3 * i, 0.8) for i in range(min(len(cards) - 1, 2), 0, -1)
    )
    return head + under + hero(cards[0], x - 28, y, 0.8) + left + _order(cards[1:], x, y + 120)


def _order(cards: Sequence[str], x: float, y: float) -> str:
    """What comes under the top hero, for who sees all of it."""
    if "?" in cards:
        return ""
    lines = [" ".join(cards[i : i + 2]) for i in range(0, len(cards), 2)]
    return "".join(text(x, y + 16 * i, "v order", line, "middle") for i, line in enumerate(lines))
