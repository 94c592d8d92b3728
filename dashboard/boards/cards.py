"""Claim's cards as SVG: each faction has a colour, a letter and a shape of its own."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.boards.svg import style
from dashboard.i18n.text import _

FACTIONS = "GKUDX"
SHAPES = {
    "G": '<path d="M0-9 10 9H-10Z"/>',
    "K": '<path d="M-9-9H9V2C9 7 0 11 0 11S-9 7-9 2Z"/>',
    "U": '<circle r="7.5" fill="none" stroke-width="5"/>',
    "D": '<rect x="-8.5" y="-8.5" width="17" height="17" rx="1.5"/>',
    "X": '<path d="M-8-8 8 8M8-8-8 8" fill="none" stroke-width="5.5" stroke-linecap="round"/>',
}
WIDTH, HEIGHT = 60, 86

#: On a phone the seats, the table and the piles stand below each other, followers under the hand.
_PHONE_HEIGHT = 2660
_PHONE = (
    f"svg.board.claim{{height:auto;aspect-ratio:1180/{_PHONE_HEIGHT}}}"
    f".claim .paper{{height:{_PHONE_HEIGHT}px}}"
    ".claim .far{transform:translate(-12px,-12px) scale(1.62)}"
    ".claim .table{transform:translate(-12px,138px) scale(1.62)}"
    ".claim .near{transform:translate(-12px,133px) scale(1.62)}"
    ".claim .piles{transform:translate(-1989px,1045px) scale(2.7)}"
    ".claim .seat{width:716px;height:246px}.claim .number{transform:translate(-450px)}"
    ".claim .followers{transform:translate(-700px,96px)}"
    ".claim :is(.far,.table,.near) :is(.h,.s){font-size:16px;letter-spacing:.02em}"
    ".claim :is(.far,.table,.near) :is(.c,.p){font-size:18px}.claim .table .v{font-size:15px}"
)

STYLE = style(
    "--G:#4f7526;--K:#2766a8;--U:#65517f;--D:#a65a12;--X:#942a5f",
    "--G:#9cc46c;--K:#7db4ec;--U:#bfa6dd;--D:#e5a45f;--X:#e883b8",
    ".board text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:var(--ink)}"
    ".board .num{font-family:Georgia,'DejaVu Serif',serif;font-weight:700}"
    ".board .h{font-size:12px;fill:var(--soft);letter-spacing:.09em;text-transform:uppercase}"
    ".board .p{font-size:17px;font-weight:650}.board .s{font-size:13px;fill:var(--soft)}"
    ".board .c{font-size:14px}.board .v{font-size:12.5px;fill:var(--soft);letter-spacing:.06em}"
    ".board .big{font-size:24px;font-weight:650}.board .gold{fill:var(--gold-ink)}"
    + "".join(f".board .{f}{{fill:var(--{f});stroke:var(--{f})}}" for f in FACTIONS)
    + ".board .shape{stroke-width:0}.board .U.shape,.board .X.shape{stroke-width:5}"
    + "".join(f".board text.{f}{{fill:var(--{f});stroke:none}}" for f in FACTIONS)
    + ".board .face{fill:var(--card);stroke:var(--edge);stroke-width:1.4}"
    ".board .now .face{stroke:var(--gold);stroke-width:4}"
    ".board .back rect{fill:var(--back);stroke:var(--back-edge);stroke-width:1.4}"
    ".board .back path{fill:none;stroke:var(--gold);stroke-width:1.6}"
    ".board .gone{opacity:.7}.board .slot{fill:none;stroke:var(--edge);stroke-width:2;"
    "stroke-dasharray:6 5}.board .slot.now{stroke:var(--gold)}"
    f"@media (max-width:600px){{{_PHONE}}}",
)


def faction_names() -> dict[str, str]:
    """What the factions are called."""
    return {
        "G": _("Goblins"),
        "K": _("Knights"),
        "U": _("Undead"),
        "D": _("Dwarves"),
        "X": _("Doppelgangers"),
    }


def shape(faction: str, x: float, y: float, scale: float = 1.0) -> str:
    """The faction's sign, centred on the point."""
    return (
        f'<g class="{faction} shape" transform="translate({x:g} {y:g}) scale({scale:g})">'
        f"{SHAPES[faction]}</g>"
    )


def card(code: str, x: float, y: float, scale: float = 1.0, now: bool = False) -> str:
    """A card face up, its left upper corner on the point; `now` frames it in gold."""
    faction, value = code[0], code[1:]
    if faction not in FACTIONS or not value.isdigit():
        raise ValueError(f"no such card: {code!r}")
    return (
        f'<g class="card{" now" if now else ""}" '
        f'transform="translate({x:g} {y:g}) scale({scale:g})">'
        f'<rect class="face" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        f'<path class="{faction}" stroke="none" style="stroke:none" '
        f'd="M8 .7H9V85.3H8C4 85.3.7 82 .7 78V8C.7 4 4 .7 8 .7Z"/>'
        f'<text x="14" y="20" class="{faction}" font-size="14" font-weight="700">{faction}</text>'
        f'<text x="34" y="48" class="num {faction}" font-size="32" text-anchor="middle">'
        f"{value}</text>"
        f"{shape(faction, 34, 68, 0.86)}</g>"
    )


def back(x: float, y: float, scale: float = 1.0) -> str:
    """A card face down: nothing in it tells which card it is."""
    return (
        f'<g class="back" transform="translate({x:g} {y:g}) scale({scale:g})">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        '<path d="M30 24 43 43 30 62 17 43Z"/></g>'
    )


def row(
    cards: Sequence[str], hidden: int, x: float, y: float, width: float, scale: float, now: str = ""
) -> str:
    """Cards face up, then `hidden` backs, side by side and overlapping where they must."""
    count = len(cards) + hidden
    own = WIDTH * scale
    step = min(own + 5, (width - own) / (count - 1)) if count > 1 else 0.0
    known = [card(c, x + i * step, y, scale, c == now) for i, c in enumerate(cards)]
    backs = [back(x + i * step, y, scale) for i in range(len(cards), count)]
    return "".join(known + backs)
