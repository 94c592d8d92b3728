"""Britain: the eight regions with their followers or discs, the supply, and France."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.boards.king_moves import changes, exchanged, path, struggled
from dashboard.boards.king_signs import FACTIONS, UNSTABLE, delta, disc, pile, top
from dashboard.boards.svg import text
from dashboard.i18n.text import _

View = Mapping[str, Any]
Point = tuple[float, float]

LEFT, TOP, WIDTH, HEIGHT = 14, 14, 460, 720
SCALE = 0.668
ORIGIN = (LEFT - 34, TOP - 10)
STEP = 29  # between the piles of a region
INSTABILITY = 3


@dataclass(frozen=True)
class Region:
    """Its outline, and where its name and the middle of its piles are, all in map units.

    Piles that stand in the sea hang on a thread to the point `land`, where a disc will lie.
    """

    outline: str
    name: Point
    piles: Point
    land: Point | None = None


REGIONS = {
    "moray": Region(
        "185,38 315,38 255,122 385,120 402,140 375,215 335,255 350,290 280,331 217,338 165,350 "
        "110,370 85,350 130,290 85,245 120,200 80,140 150,110",
        (252, 162),
        (240, 250),
    ),
    "strathclyde": Region(
        "217,338 280,331 350,322 385,330 432,400 435,437 347,455 325,461 290,465 235,498 180,485 "
        "175,455 215,445 210,385",
        (318, 357),
        (316, 404),
    ),
    "lancaster": Region(
        "325,461 347,455 370,545 420,610 445,660 452,722 331,711 326,678 352,655 330,640 345,590 "
        "300,545 310,520 287,495",
        (150, 522),
        (150, 612),
        (392, 637),
    ),
    "northumbria": Region(
        "347,455 435,437 452,490 515,510 545,590 570,615 580,665 560,700 584,711 545,754 500,750 "
        "452,722 445,660 420,610 370,545",
        (464, 552),
        (506, 640),
    ),
    "gwynedd": Region(
        "326,678 331,711 350,790 400,825 411,847 387,848 360,890 310,895 280,870 165,855 170,830 "
        "240,790 265,740 210,720 240,690 210,660 245,655 300,658",
        (140, 762),
        (298, 812),
    ),
    "warwick": Region(
        "331,711 452,722 500,750 545,754 525,820 467,890 411,847 400,825 350,790",
        (424, 744),
        (459, 790),
    ),
    "essex": Region(
        "584,711 600,690 665,690 690,725 685,790 650,820 640,850 615,880 680,880 660,930 580,965 "
        "546,957 490,910 467,890 525,820 545,754",
        (612, 742),
        (564, 880),
    ),
    "devon": Region(
        "387,848 411,847 467,890 490,910 546,957 490,995 440,985 380,1005 300,1015 270,1040 "
        "220,1035 165,1085 135,1055 185,1010 220,950 290,910 350,910",
        (290, 972),
        (440, 938),
    ),
}
_FRANCE = (  # with the rounded corner of the map
    "M739 890 700 905 698 960 660 1015 612 1060 540 1092 484 1046 501 1092"
    "H718A21 21 0 0 0 739 1071Z"
)
_COASTS = "".join(f"M{region.outline}Z" for region in REGIONS.values())


def at(point: Point) -> Point:
    """A point of the map, in units of the picture."""
    return ORIGIN[0] + point[0] * SCALE, ORIGIN[1] + point[1] * SCALE


def draw(view: View, last: str) -> str:
    """The map with everything on it; what the ply `last` changed is marked in gold."""
    contested = view["row"][view["resolved"]] if view["actor"] >= 0 else ""
    gold = {contested, *exchanged(last)}
    return (
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" rx="14" '
        'style="fill:var(--sea)"/>'
        + _land(view, contested)
        + "".join(_title(view, name, name in gold) + _held(view, name, last) for name in REGIONS)
        + _way(last)
        + _supply(view)
        + _france(view)
    )


def _land(view: View, contested: str) -> str:
    """Shoals, coasts, and each region in the colour of who holds it."""
    lands = "".join(_ground(REGIONS[name].outline, view["discs"][name]) for name in REGIONS)
    gold = _edge(REGIONS[contested].outline) if contested else ""
    return (
        f'<g transform="translate({ORIGIN[0]} {ORIGIN[1]}) scale({SCALE})" '
        'stroke-linejoin="round">'
        f'<path d="{_COASTS}" style="fill:none;stroke:var(--shoal);stroke-width:40"/>'
        f'<path d="{_FRANCE}" style="fill:var(--land);opacity:.7"/>{lands}{gold}</g>'
    )


def _ground(outline: str, owner: str) -> str:
    tint = "" if not owner else f'<polygon points="{outline}" class="{owner}" fill-opacity=".4"/>'
    return (
        f'<polygon points="{outline}" style="fill:var(--land);stroke:var(--coast);'
        f'stroke-width:2.4"/>{tint}'
    )


def _edge(outline: str) -> str:
    return f'<polygon points="{outline}" style="fill:none;stroke:var(--gold);stroke-width:7"/>'


def _held(view: View, name: str, last: str) -> str:
    """The disc of a region that is decided, or its followers."""
    region, owner = REGIONS[name], view["discs"][name]
    if owner:
        x, y = at(region.land or region.piles)
        return disc(owner, x, y, 22, struggled(view) == name)
    return (_thread(region.piles, region.land) if region.land else "") + _piles(view, name, last)


def _title(view: View, name: str, gold: bool) -> str:
    """The region's name after the number of the space that its card lies on."""
    x, y = at(REGIONS[name].name)
    label, space = name.title(), view["row"].index(name) + 1
    left = x - 4.1 * len(label) - 2
    fill = "gold" if gold else "panel"
    ink = "on-gold" if gold else "soft"
    return (
        f'<circle cx="{left - 5:g}" cy="{y - 5:g}" r="8.5" '
        f'style="fill:var(--{fill});stroke:var(--coast)"/>'
        f'<text x="{left - 5:g}" y="{y - 0.6:g}" text-anchor="middle" '
        f'style="font-size:12px;font-weight:700;fill:var(--{ink})">{space}</text>'
        + text(left + 8, y, "place", label)
    )


def _thread(piles: Point, land: Point) -> str:
    (x, y), (end, down) = at(piles), at(land)
    return (
        f'<path class="thread" d="M{x + 48:g} {y - 4:g}L{end:g} {down:g}"/>'
        f'<circle cx="{end:g}" cy="{down:g}" r="3.5" style="fill:var(--coast)"/>'
    )


def _piles(view: View, name: str, last: str) -> str:
    """A pile for each faction with its number below; the number of one that leads is bold."""
    followers, fresh = view["regions"][name], changes(last)
    x, base = at(REGIONS[name].piles)
    most = max(followers)
    alone = followers.count(most) == 1
    return "".join(
        _pile(
            faction,
            count,
            (x + STEP * (place - 1), base),
            fresh.get((name, faction), 0),
            alone and count == most,
        )
        for place, (faction, count) in enumerate(zip(FACTIONS, followers, strict=True))
    )


def _pile(faction: str, count: int, foot: Point, change: int, leads: bool) -> str:
    x, base = foot
    css = "num land" if leads else "num few land"
    if change:
        number = text(x, base + 30, css.removesuffix(" land"), str(count), "middle")
        glow = _glow(x, base, count)
        return glow + pile(faction, count, x, base) + number + delta(x, base + 44, change)
    number = text(x, base + 30, css, str(count), "middle") if count else ""
    return number + pile(faction, count, x, base)


def _glow(x: float, base: float, count: int) -> str:
    height = top(count) + 40
    return (
        f'<rect class="glow now" x="{x - 15:g}" y="{base - top(count) - 4:g}" width="30" '
        f'height="{height:g}" rx="8" style="stroke-width:2"/>'
    )


def _way(last: str) -> str:
    """A dashed line between the two regions that a ply moved followers between."""
    ends = path(last)
    if ends is None:
        return ""
    (x, y), (end, down) = (at(REGIONS[name].piles) for name in ends)
    bend = (x + end) / 2 - (down - y) * 0.2, (y + down) / 2 + (end - x) * 0.2
    return (
        f'<path class="way" d="M{x:g} {y - 12:g}Q{bend[0]:g} {bend[1]:g} {end:g} {down - 12:g}"/>'
    )


def _supply(view: View) -> str:
    x, base = LEFT + WIDTH - 86, TOP + 110
    parts = [text(x, base + 50, "h", _("Supply"), "middle")]
    for place, (faction, count) in enumerate(zip(FACTIONS, view["supply"], strict=True)):
        left = x + 40 * (place - 1)
        parts.append(pile(faction, count, left, base))
        parts.append(text(left, base + 30, "num few", str(count), "middle"))
    return "".join(parts)


def _france(view: View) -> str:
    """The instability discs that are left; the third one that leaves brings the invasion."""
    x, y = LEFT + WIDTH - 90, TOP + HEIGHT - 42
    used = sum(owner == UNSTABLE for owner in view["discs"].values())
    discs = "".join(
        f'<circle cx="{x + 26 * i:g}" cy="{y + 20:g}" r="9.5" '
        + (
            'style="fill:none;stroke:var(--coast);stroke-dasharray:3 3"/>'
            if i < used
            else 'style="fill:var(--black);stroke:var(--soft);stroke-width:1.5"/>'
        )
        for i in range(INSTABILITY)
    )
    return text(x + 26, y, "place sea", _("France"), "middle") + discs
