"""Signs of Hidden Leaders: Duel: each faction has a colour, a letter and a shape of its own."""

from __future__ import annotations

from dashboard.boards.svg import on_phone, style, text
from dashboard.i18n.text import _

FACTIONS = "RGBK"
SHAPES = {
    "R": '<path d="M-9 8V-6L-4 1 0-9 4 1 9-6V8Z"/>',
    "G": '<path d="M0-9 10 8H-10Z"/>',
    "B": '<path d="M0-10.5C9-.5 8 9 0 9S-9-.5 0-10.5Z"/>',
    "K": '<circle r="7" fill="none" stroke-width="4.6"/>',
}

#: On a phone the parts stand below each other, the story with the pile first, the numbers last.
PHONE_HEIGHT = 2920
_PHONE = (
    f"svg.board.leaders{{height:auto;aspect-ratio:1180/{PHONE_HEIGHT}}}"
    f".leaders .paper{{height:{PHONE_HEIGHT}px}}"
    + on_phone(".leaders .story", (816, 474), 2.6, (12, 12))
    + on_phone(".leaders .pile", (712, 284), 2.3, (950, 12))
    + on_phone(".leaders .far", (14, 14), 1.62, (12, 348))
    + on_phone(".leaders .rows", (14, 154), 1.62, (12, 752))
    + on_phone(".leaders .near", (14, 606), 1.62, (12, 1486))
    + on_phone(".leaders .counts", (816, 154), 3.3, (12, 1890))
    + ".leaders .seat{width:714px;height:240px}.leaders .ground{width:714px}"
    ".leaders .council{transform:translate(-394px,108px)}"
    ".leaders .leader{transform:translate(-438px)}"
    ".leaders :is(.far,.near,.rows) :is(.h,.s){font-size:15px;letter-spacing:.02em}"
    ".leaders .p{font-size:18.5px}.leaders .turn{transform:translate(14px)}"
    ".leaders .order{display:none}"
)

#: What is printed on cards, light or solid, is the same by day and by night.
_CARDS = "--ink-R:#a8322e;--ink-G:#2a6a3c;--ink-B:#1f5f9c;--ink-K:#332e2b;--on:#fff;"

STYLE = style(
    f"--R:#a8322e;--G:#2f7142;--B:#2266a6;--K:#3a3532;{_CARDS}"
    "--R2:#a3312d;--G2:#37784a;--B2:#2a6aa5;--K2:#37312e;--rim:#fffdf8;--light:#fffdf8;--light-edge:#cfc3ad;--gone:#dcded2;--gone-ink:#8d9082",
    f"--R:#f0928b;--G:#86cf99;--B:#86baf0;--K:#d9d0c2;{_CARDS}"
    "--R2:#96332f;--G2:#2c6a41;--B2:#275f97;--K2:#55504b;--rim:#1d1a17;--light:#e9e1d0;--light-edge:#b9ad97;--gone:#4a4e47;--gone-ink:#8d9186",
    ".leaders text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:var(--ink);"
    "font-size:14px}"
    ".leaders .h{font-size:12px;fill:var(--soft);letter-spacing:.08em;text-transform:uppercase}"
    ".leaders .p{font-size:17px;font-weight:650}.leaders .s{font-size:12.5px;fill:var(--soft)}"
    ".leaders .v{font-size:12px;fill:var(--soft)}"
    ".leaders .num{font-family:Georgia,'DejaVu Serif',serif;font-weight:700}"
    ".leaders .few{fill:var(--soft);font-weight:400}"
    ".leaders .panel,.leaders .seat{fill:var(--panel);stroke:var(--line)}"
    ".leaders .ground{fill:var(--table)}"
    ".leaders .glow{fill:var(--glow);stroke:var(--gold);stroke-width:1.5}"
    ".leaders .pill{fill:var(--gold)}"
    ".leaders text.pill{fill:var(--on-gold);font-weight:700;font-size:12.5px}"
    + "".join(
        f".leaders .{f}{{fill:var(--{f});stroke:none}}.leaders .solid.{f}{{fill:var(--{f}2)}}"
        f".leaders .ink.{f}{{fill:var(--ink-{f})}}"
        for f in FACTIONS
    )
    + ".leaders .shape.K circle{stroke:var(--K)}"
    ".leaders .shape.ink.K circle{stroke:var(--ink-K)}.leaders .shape.on.K circle{stroke:var(--on)}"
    ".leaders .num.ink:not(.R,.G,.B,.K){fill:var(--ink-K)}"
    ".leaders .face{fill:var(--light);stroke:var(--light-edge);stroke-width:1.4}"
    ".leaders .solid{fill:var(--back);stroke:var(--rim);stroke-width:1.4}"
    ".leaders .frame{fill:none;stroke:var(--on);stroke-opacity:.5;stroke-width:1.1}"
    ".leaders .on,.leaders text.on{fill:var(--on)}.leaders .shape.on{fill:var(--on)}"
    ".leaders .letter{font-size:17px;font-weight:700}"
    ".leaders .old{fill:var(--soft)}.leaders .gem{fill:none;stroke:var(--gold);stroke-width:1.8}"
    ".leaders .lost .face{fill:var(--gone);stroke:var(--gone-ink)}"
    ".leaders .lost .ink{fill:var(--gone-ink)}"
    ".leaders .lost .shape.K circle{stroke:var(--gone-ink)}"
    ".leaders .now>:is(.face,.solid),.leaders .seat.now{stroke:var(--gold);stroke-width:4}"
    ".leaders .seat.now{stroke-width:3}"
    ".leaders .slot{fill:none;stroke:var(--edge);stroke-width:2;stroke-dasharray:6 5}"
    ".leaders .slot.now{stroke:var(--gold);stroke-width:3}"
    ".leaders .disc circle{fill:var(--panel);stroke:var(--ink);stroke-width:1.4}"
    ".leaders .disc.won circle{fill:var(--gold);stroke:var(--on-gold)}"
    ".leaders .disc text{font-size:12px;font-weight:700;text-anchor:middle}"
    ".leaders .disc.won text{fill:var(--on-gold)}"
    f"@media (max-width:600px){{{_PHONE}}}",
)


def faction_names() -> dict[str, str]:
    """What the factions are called."""
    return {
        "R": _("Imperial Army"),
        "G": _("Hill Tribes"),
        "B": _("Water Folk"),
        "K": _("Undead"),
    }


def sign(faction: str, x: float, y: float, scale: float = 1.0, css: str = "") -> str:
    """The faction's shape, centred on the point; `ink` on a light card, `on` on a solid one."""
    return (
        f'<g class="shape {faction} {css}" transform="translate({x:g} {y:g}) scale({scale:g})">'
        f"{SHAPES[faction]}</g>"
    )


def disc(seat: int, x: float, y: float, won: bool = False) -> str:
    """The number of a seat; on gold when it won something."""
    return (
        f'<g class="disc{" won" if won else ""}" transform="translate({x:g} {y:g})">'
        f'<circle r="9.5"/><text y="4.3">{seat}</text></g>'
    )


def pill(x: float, y: float, label: str) -> str:
    """A short word on gold, its left upper corner on the point."""
    width = 18 + 8 * len(label)
    return (
        f'<g class="turn"><rect class="pill" x="{x:g}" y="{y:g}" width="{width}" height="23" '
        f'rx="11.5"/>{text(x + width / 2, y + 16, "pill", label, "middle")}</g>'
    )
