"""A bracket as a picture: boxes of two lines, and wires to where winners go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from dashboard.boards.svg import shorten, text
from dashboard.charts.bracket_layout import Layout, Place

BOX, LINE, GAP = 174, 24, 28  # a box is so wide, a line of it so high, and so much between columns
HEAD, ROW = 17, 82  # above a box; from one box to the next
TOP, LEFT = 34, 4
CHARACTERS = 25  # of a line of a box


@dataclass(frozen=True)
class Line:
    """One of the two: the number of its seed, its name, and its credit in each play.

    `fate` is won, lost, plays or nobody (not known yet); `left`: it withdrew or was disqualified.
    """

    seed: str
    name: str
    scores: tuple[str, ...]
    fate: str
    left: bool = False


@dataclass(frozen=True)
class Card:
    """What stands in a box; `state` is ahead, live, done or idle, `note` the same in words.

    `target` is the address that it opens, if any; `said` tells all of it.
    """

    lines: tuple[Line, Line]
    state: str
    note: str
    target: str
    said: str


@dataclass(frozen=True)
class Heading:
    """A text above a column, in the row that begins there."""

    column: int
    row: float
    words: str


def draw(places: Layout, cards: Mapping[int, Card], headings: Sequence[Heading], title: str) -> str:
    """An SVG on one line; `cards` by index of the encounter."""
    width = LEFT * 2 + places.columns * (BOX + GAP) - GAP
    height = TOP + places.rows * ROW
    parts = [
        *(_wire(start, end, cards[start.index]) for start, end in places.wires()),
        *(_box(place, cards[index]) for index, place in places.places.items()),
        *(
            text(_x(each.column), TOP + each.row * ROW - 16, "head", each.words)
            for each in headings
        ),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'style="width:{width}px" class="ix-bracket" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def _x(column: int) -> float:
    return LEFT + column * (BOX + GAP)


def _y(row: float) -> float:
    """The top of the frame of a box."""
    return TOP + row * ROW + HEAD


def _wire(start: Place, end: Place, card: Card) -> str:
    left, right = _x(start.column) + BOX, _x(end.column)
    css = "wire done" if card.state == "done" else "wire"
    return (
        f'<path class="{css}" d="M{left:g} {_y(start.row) + LINE:g}H{right - GAP / 2:g}'
        f'V{_y(end.row) + LINE:g}H{right:g}"/>'
    )


def _box(place: Place, card: Card) -> str:
    x, y = _x(place.column), _y(place.row)
    lines = "".join(_line(x, y + LINE * number, line) for number, line in enumerate(card.lines))
    inside = (
        f"<title>{escape(card.said)}</title>"
        f'<rect class="frame" x="{x:g}" y="{y:g}" width="{BOX}" height="{2 * LINE}" rx="7"/>'
        f'<path class="between" d="M{x:g} {y + LINE:g}h{BOX}"/>'
        f"{text(x + 2, y - 4, 'number', str(place.number))}"
        f"{text(x + BOX - 2, y - 4, 'note', card.note, 'end')}{lines}"
    )
    css = f'class="{card.state}"'
    if not card.target:
        return f"<g {css}>{inside}</g>"
    return f'<a {css} href="{escape(card.target)}" target="_self">{inside}</a>'


def _line(x: float, y: float, line: Line) -> str:
    """A mark beside who won: weight and colour alone do not tell it."""
    scores = "  ".join(line.scores)
    name = shorten(line.name, CHARACTERS - 3 - len(scores) - 2 * bool(scores))
    mark = f'<path class="mark" d="M{x:g} {y + 5:g}v14l6 -7Z"/>' if line.fate == "won" else ""
    css = f"{line.fate} left" if line.left else line.fate
    return (
        f'<g class="{css}">{mark}{text(x + 22, y + 16.5, "seed", line.seed, "end")}'
        f"{text(x + 29, y + 17, 'name', name)}"
        f"{text(x + BOX - 8, y + 17, 'score', scores, 'end')}</g>"
    )
