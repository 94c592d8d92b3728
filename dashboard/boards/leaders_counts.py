"""The numbers of Hidden Leaders: Duel: influence, heroes in the rows, and the armies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards.fitting import Line, fitted
from dashboard.boards.leaders_signs import FACTIONS, disc, faction_names, sign
from dashboard.boards.leaders_standing import (
    SEATS,
    Army,
    Influence,
    influence,
    kept,
    lying,
    standing,
    strength,
)
from dashboard.boards.svg import text
from dashboard.i18n.text import _, plural

View = Mapping[str, Any]

LEFT, TOP, WIDTH, HEIGHT = 816, 154, 350, 312
INFLUENCE, ROWS = (944, 998), (1064, 1128)  # the middle of the columns by seat
FIRST, STEP = 229, 53
NONE, TIMES, SUM = "\N{EN DASH}", "\N{MULTIPLICATION SIGN}", "\N{GREEK CAPITAL LETTER SIGMA}"
MARKS = 50, 62  # how wide the gold below a number is
SMALL, EDGE = 12, 4  # the size of what is below; what the gold leaves free at its sides


def draw(view: View) -> str:
    """A line for each faction, and what the armies are worth."""
    over = view["actor"] < 0
    return (
        f'<rect class="panel" x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" rx="14"/>'
        + text(sum(INFLUENCE) / 2, TOP + 24, "s", _("influence"), "middle")
        + text(sum(ROWS) / 2, TOP + 24, "s", _("kept") if over else _("in the row"), "middle")
        + "".join(disc(seat, xs[seat], TOP + 42) for xs in (INFLUENCE, ROWS) for seat in SEATS)
        + "".join(_faction(view, f, FIRST + STEP * i) for i, f in enumerate(FACTIONS))
        + f'<path d="M{LEFT + 16} {TOP + 264}H{LEFT + WIDTH - 16}" style="stroke:var(--line)"/>'
        + _armies(view)
    )


def _faction(view: View, faction: str, y: float) -> str:
    named = (
        sign(faction, LEFT + 26, y - 6, 0.95)
        + text(LEFT + 43, y, f"letter {faction}", faction)
        + fitted(LEFT + 16, y + 17, "v", Line(faction_names()[faction], SMALL), 84)
    )
    known = [influence(view, seat, faction) for seat in SEATS]
    return (
        named
        + _pair(INFLUENCE, y, MARKS[0], [_total(each) for each in known], _leading(known))
        + "".join(_presence(each, INFLUENCE[seat], y, faction) for seat, each in enumerate(known))
        + (_kept(view, faction, y) if view["actor"] < 0 else _rows(view, faction, y))
    )


def _pair(
    xs: Sequence[int], y: float, width: float, numbers: Sequence[str], leads: int | None
) -> str:
    """A number for each seat, the leading one on gold."""
    glow = ""
    if leads is not None:
        x = xs[leads] - width / 2
        glow = f'<rect class="glow" x="{x:g}" y="{y - 20:g}" width="{width:g}" height="42" rx="9"/>'
    return glow + "".join(
        f'<text x="{x}" y="{y}" class="num{"" if number.isdigit() and number != "0" else " few"}" '
        f'text-anchor="middle" style="font-size:20px">{number}</text>'
        for x, number in zip(xs, numbers, strict=True)
    )


def _total(known: Influence) -> str:
    if known.total is None:
        return "?"
    return str(known.total) if known.present else NONE


def _leading(known: Sequence[Influence]) -> int | None:
    first, second = (each.total for each in known)
    if first is None or second is None or first == second:
        return None
    return int(second > first)


def _presence(known: Influence, x: float, y: float, faction: str) -> str:
    """The heroes in the Council and the leader: strengths, or a back for each."""
    if known.total is None:
        step = min(9, MARKS[0] / max(len(known.heroes), 1))
        left = x - step / 2 * len(known.heroes)
        return "".join(
            f'<rect class="solid {faction}" x="{left + step * i:g}" y="{y + 7:g}" '
            f'width="{step - 1:g}" height="11" rx="2" style="stroke-width:.6"/>'
            for i in range(len(known.heroes))
        )
    leader = [] if known.leader is None else [f"+{known.leader}"]
    every = " ".join([*(hero[1:] for hero in known.heroes), *leader])
    count = " ".join([f"{TIMES}{len(known.heroes)}", *leader])
    return _below(x, y, MARKS[0], every, count)


def _below(x: float, y: float, mark: float, every: str, instead: str) -> str:
    """The strengths below a number, or what stands for them where they are too many."""
    line, room = Line(every, SMALL), mark - EDGE
    return fitted(x, y + 17, "v", line if line.fits(room) else Line(instead, SMALL), room, "middle")


def _rows(view: View, faction: str, y: float) -> str:
    rows = [lying(view, row, faction) for row in SEATS]
    counts = [len(row) for row in rows]
    leads = None if counts[0] == counts[1] else int(counts[1] > counts[0])
    return _pair(ROWS, y, MARKS[1], [str(count) for count in counts], leads) + "".join(
        _below(x, y, MARKS[1], _strengths(row), _sum(row))
        for x, row in zip(ROWS, rows, strict=True)
    )


def _kept(view: View, faction: str, y: float) -> str:
    armies = [kept(view, seat, faction) for seat in SEATS]
    sums = [str(sum(map(strength, army))) if army else NONE for army in armies]
    return _pair(ROWS, y, MARKS[1], sums, None) + "".join(
        _below(x, y, MARKS[1], _strengths(army), _heroes(len(army)))
        for x, army in zip(ROWS, armies, strict=True)
    )


def _strengths(heroes: Sequence[str]) -> str:
    """The strongest first, then those that nobody here knows."""
    known = sorted(map(strength, _known(heroes)), reverse=True)
    return " ".join([*map(str, known), *["?"] * (len(heroes) - len(known))])


def _sum(heroes: Sequence[str]) -> str:
    """Of the strengths that are known, and how many are not."""
    known = _known(heroes)
    hidden = len(heroes) - len(known)
    return f"{SUM}{sum(map(strength, known))}" + (f" {hidden}?" if hidden else "")


def _known(heroes: Sequence[str]) -> list[str]:
    return [hero for hero in heroes if hero[1:] != "?"]


def _heroes(count: int) -> str:
    return plural("{count} hero", "{count} heroes", count)


def _armies(view: View) -> str:
    armies = standing(view)
    label = _("Armies") if view["actor"] < 0 else _("Armies if it ended now")
    leads = _ahead(armies) if armies else None
    numbers = [str(army.strength) for army in armies] if armies else ["?", "?"]
    counts = [Line(_heroes(army.heroes), SMALL) for army in armies or ()]
    y = TOP + 288
    return (
        text(LEFT + 16, y + 4, "s", label)
        + _pair(ROWS, y, MARKS[1], numbers, leads)
        + "".join(
            fitted(x, y + 16, "v", line, MARKS[1] - EDGE, "middle")
            for x, line in zip(ROWS, counts, strict=False)
        )
    )


def _ahead(armies: Sequence[Army]) -> int | None:
    first, second = ((army.strength, army.heroes) for army in armies)
    return None if first == second else int(second > first)
