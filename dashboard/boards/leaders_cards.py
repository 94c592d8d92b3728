"""Heroes and leaders as cards: light ones lie open, solid ones are hidden from somebody."""

from __future__ import annotations

import re

from dashboard.boards.leaders_signs import FACTIONS, sign
from dashboard.boards.svg import text

WIDTH, HEIGHT = 70, 98
LEADER = (200, 78)
_HERO = re.compile(rf"\?|[{FACTIONS}](\?|[0-9]{{1,2}})")


def hero(
    code: str, x: float, y: float, scale: float = 1.0, *, up: bool = False, css: str = ""
) -> str:
    """A hero as the viewer knows it, its left upper corner on the point; `up` is face up."""
    if not _HERO.fullmatch(code):
        raise ValueError(f"no such hero: {code!r}")
    draw = _unknown if code == "?" else _up if up else _down
    place = f'transform="translate({x:g} {y:g}) scale({scale:g})"'
    return f'<g class="hero {css}" {place}>{draw(code)}</g>'


def _up(code: str) -> str:
    faction, strength = code[0], code[1:]
    return (
        f'<rect class="face" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        f'<path class="ink {faction}" d="M8 .7H9V97.3H8C4 97.3.7 94 .7 90V8C.7 4 4 .7 8 .7Z"/>'
        + text(15, 21, f"letter ink {faction}", faction)
        + _strength(39, strength, f"ink {faction}")
        + sign(faction, 39, 77, 0.95, "ink")
    )


def _down(code: str) -> str:
    """The back, with the strength for those who know it."""
    faction, strength = code[0], code[1:]
    known = _strength(35, strength, "on") + sign(faction, 35, 77, 0.95, "on")
    return _back(f"solid {faction}") + (
        text(10, 23, "letter on", faction)
        + (sign(faction, 37, 42, 1.5, "on") if strength == "?" else known)
    )


def _unknown(_code: str) -> str:
    return _back("solid") + '<path class="gem" d="M35 31 49 49 35 67 21 49Z"/>'


def _back(css: str) -> str:
    return (
        f'<rect class="{css}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        f'<rect class="frame" x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}" rx="5"/>'
    )


def _strength(x: float, strength: str, css: str) -> str:
    size = 36 if len(strength) == 1 else 30
    return (
        f'<text x="{x:g}" y="54" class="num {css}" text-anchor="middle" '
        f'style="font-size:{size}px">{strength}</text>'
    )


def leader(factions: str, value: int, x: float, y: float) -> str:
    """A leader: the signs of its factions, and what it adds to the influence in each of them."""
    place = f'x="{x:g}" y="{y:g}" width="{LEADER[0]}" height="{LEADER[1]}" rx="9"'
    pitch, size = (30, 1.25) if len(factions) < len(FACTIONS) else (26, 1.05)
    signs = "".join(
        sign(faction, x + 24 + pitch * i, y + 30, size, "ink")
        + text(x + 24 + pitch * i, y + 64, f"letter ink {faction}", faction, "middle")
        for i, faction in enumerate(factions)
    )
    return (
        f'<rect class="face" style="stroke:var(--gold);stroke-width:2" {place}/>{signs}'
        f'<text x="{x + LEADER[0] - 14:g}" y="{y + 50:g}" class="num ink" text-anchor="end" '
        f'style="font-size:30px">+{value}</text>'
    )


def leader_back(x: float, y: float) -> str:
    """A leader that the viewer does not know: nothing in it tells which one it is."""
    width, height = LEADER
    middle = f"{x + width / 2:g} {y + height / 2:g}"
    return (
        f'<rect class="solid" x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="9"/>'
        f'<path class="gem" transform="translate({middle})" d="M0-20 15 0 0 20-15 0Z"/>'
    )
