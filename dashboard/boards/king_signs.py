"""The King Is Dead's signs: each faction has a colour, a letter and a shape of its own."""

from __future__ import annotations

from dashboard.boards.svg import style, text
from dashboard.i18n.text import _

FACTIONS = "SWE"
UNSTABLE = "X"
OUTLINES = {
    "S": "M-11-11H11V11H-11Z",
    "W": "M0-14 14 0 0 14-14 0Z",
    "E": "M-7-12H7L14 0 7 12H-7L-14 0Z",
    "?": "M-9 0A9 9 0 1 1 9 0A9 9 0 1 1-9 0Z",
}
MINUS = "\N{MINUS SIGN}"
PLATE = 5  # how much of each follower of a pile shows below the next

#: On a phone the story, the map, the row and the seats stand below each other.
_PHONE_HEIGHT = 2952
_PHONE = (
    f"svg.board.king{{height:auto;aspect-ratio:1000/{_PHONE_HEIGHT}}}"
    f".king .paper{{height:{_PHONE_HEIGHT}px}}"
    ".king .story{transform:translate(-928px,-1276px) scale(1.94)}"
    ".king .map{transform:translate(-12px,135px) scale(2.1)}"
    ".king .row{transform:translate(-928px,1653px) scale(1.94)}"
    ".king .seats{transform:translate(-928px,1654px) scale(1.94)}"
)

STYLE = style(
    "--S:#2b69ab;--S2:#1d4c80;--W:#b53d2c;--W2:#842718;--E:#efc02f;--E2:#b68612;"
    "--on-S:#fff;--on-W:#fff;--on-E:#2f2300;--rim:#fffdf8;--sea:#d3e1e4;--shoal:#e3edee;"
    "--land:#f6ecd6;--coast:#8d8069;--black:#2a2622;--on-black:#f6f1e7",
    "--S:#6fabe6;--S2:#3f6f9f;--W:#e5745c;--W2:#9c4331;--E:#f0cb52;--E2:#a5831c;"
    "--on-S:#0d1a27;--on-W:#260a05;--on-E:#2f2300;--rim:#1d1a17;--sea:#1b2a31;--shoal:#22353d;"
    "--land:#3b352b;--coast:#8b7d66;--black:#0c0a08;--on-black:#d8cfbf",
    ".king text{font-family:ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:var(--ink);"
    "font-size:13px}"
    ".king .h{font-size:11.5px;fill:var(--soft);letter-spacing:.08em;text-transform:uppercase}"
    ".king .p{font-size:16px;font-weight:650}.king .soft{font-size:12px;fill:var(--soft)}"
    ".king .num,.king .place{font-family:Georgia,'DejaVu Serif',serif}"
    ".king .num{font-size:18px;font-weight:700}.king .few{fill:var(--soft);font-weight:400}"
    ".king .place{font-size:15px;letter-spacing:.03em}"
    ".king .small{font-size:12.5px;letter-spacing:0}"
    ".king .sea{font-style:italic}"
    ".king .land{paint-order:stroke;stroke:var(--land);stroke-width:3px;stroke-linejoin:round}"
    ".king .panel{fill:var(--panel);stroke:var(--line)}"
    ".king .card{fill:var(--card);stroke:var(--edge)}"
    ".king .now{stroke:var(--gold);stroke-width:3}.king .glow{fill:var(--glow)}"
    ".king .pill{fill:var(--gold)}"
    ".king text.pill{fill:var(--on-gold);font-weight:700;font-size:12px}"
    + "".join(
        f".king .{f}{{fill:var(--{f})}}.king .{f}2{{fill:var(--{f}2)}}"
        f".king text.{f}{{fill:var(--on-{f})}}"
        for f in FACTIONS
    )
    + ".king .X{fill:var(--black)}.king text.X{fill:var(--on-black)}"
    ".king .t path{stroke:var(--rim);stroke-width:1.3;stroke-linejoin:round}"
    ".king .t text{font-weight:700;text-anchor:middle}"
    ".king .ghost{fill:none;stroke:var(--coast);stroke-width:1;opacity:.45}"
    ".king .any{fill:var(--soft);opacity:.6}.king .gone{opacity:.36}"
    ".king .back{fill:var(--back);stroke:var(--back-edge)}"
    ".king .thread{fill:none;stroke:var(--coast);stroke-width:1.3}"
    ".king .way{fill:none;stroke:var(--ink);stroke-width:2.2;stroke-dasharray:5 4}"
    f"@media (max-width:600px){{{_PHONE}}}",
)


def faction_names() -> dict[str, str]:
    """What the factions are called after an article."""
    return {"S": _("Scots"), "W": _("Welsh"), "E": _("English")}


def token(faction: str, x: float, y: float, scale: float = 1.0) -> str:
    """One follower, centred on the point; `?` is one of any faction."""
    css = "any" if faction == "?" else faction
    letter = "" if faction == "?" else f'<text y="4.6" class="{faction}">{faction}</text>'
    size = f" scale({scale:g})" if scale != 1 else ""
    return (
        f'<g class="t" transform="translate({x:g} {y:g}){size}">'
        f'<path class="{css}" d="{OUTLINES[faction]}"/>{letter}</g>'
    )


def pile(faction: str, count: int, x: float, base: float) -> str:
    """That many followers on top of each other, the lowest centred on the point; or an outline."""
    if not count:
        at = f'transform="translate({x:g} {base:g}) scale(.62)"'
        return f'<path class="ghost" {at} d="{OUTLINES[faction]}"/>'
    below = "".join(
        f'<path class="{faction}2" transform="translate({x:g} {base - PLATE * i:g})" '
        f'd="{OUTLINES[faction]}"/>'
        for i in range(count - 1)
    )
    lower = f'<g class="t">{below}</g>' if below else ""
    return lower + token(faction, x, base - PLATE * (count - 1))


def top(count: int) -> float:
    """How far a pile reaches above the centre of its lowest follower."""
    return 14 + PLATE * max(count - 1, 0)


def disc(owner: str, x: float, y: float, radius: float, now: bool = False) -> str:
    """A control disc with its faction's letter, a large one with its shape; or instability."""
    shape, large = "", radius > 14
    if owner in FACTIONS and large:
        shape = (
            f'<path d="{OUTLINES[owner]}" transform="scale(1.28)" fill="none" '
            f'style="stroke:var(--on-{owner});stroke-width:1.2;opacity:.75"/>'
        )
    down, size = (5.4, 15) if large else (9.4, 26)
    letter = f'<text y="{down}" class="{owner}" style="font-size:{size}px">{owner}</text>'
    rim = "gold" if now else "rim"
    return (
        f'<g class="disc" transform="translate({x:g} {y:g}) scale({radius / 22:g})" '
        'style="font-weight:700;text-anchor:middle">'
        f'<circle class="{owner}" r="22" style="stroke:var(--{rim});stroke-width:{4 if now else 2}"'
        f"/>{shape}{letter}</g>"
    )


def pill(x: float, y: float, label: str) -> str:
    """A short word on gold, its left edge at x, its middle at y."""
    width = 14 + 7.4 * len(label)
    return (
        f'<g class="turn"><rect class="pill" x="{x:g}" y="{y - 9:g}" width="{width:g}" '
        f'height="18" rx="9"/>{text(x + width / 2, y + 4.2, "pill", label, "middle")}</g>'
    )


def delta(x: float, y: float, change: int) -> str:
    """What a number gained or lost, on gold."""
    label = f"+{change}" if change > 0 else f"{MINUS}{-change}"
    return (
        f'<rect class="pill" x="{x - 12:g}" y="{y - 8:g}" width="24" height="16" rx="8"/>'
        + text(x, y + 4.2, "pill", label, "middle")
    )
