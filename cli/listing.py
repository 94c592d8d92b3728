"""A table as wide as the terminal: headings break first, then names, then columns are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

GAP = 2  # two columns have one blank each between them
BOUND = "\u00a0"  # a blank at which no line breaks
LEAST = 8  # of a column whose names must be cut into pieces
WORD = re.compile(r"[^ ]* |[^ ]+")
HEADING_PIECES = re.compile(r"[^ -]*[ -]|[^ -]+")
NAME_PIECES = re.compile(r"[^ /]*[ /]|[^ /]+")


@dataclass(frozen=True)
class Listing:
    """Rows under headings. What stands in a cell is never read as markup, and never cut.

    Where it is too wide, cells of the `folded` columns break at blanks and slashes, and the `spare`
    columns are left out, the first of them first.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str | Text]]
    folded: Sequence[str] = ()
    spare: Sequence[str] = ()
    header_style: str = "bold"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it; what was left out is named below."""
        for count in range(len(self.spare) + 1):
            left_out = self.spare[:count]
            shown = [each for each in self._columns() if each.heading not in left_out]
            widths = _widths(shown, options.max_width, last=count == len(self.spare))
            if widths:
                break
        yield self._drawn(shown, widths or [0] * len(shown))
        if left_out:
            names = ", ".join(left_out)
            yield Text(f"not shown: {names} (--json has all)", style="dim")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """As wide as it is with nothing broken or left out, where there is room for that."""
        whole = _whole(list(self._columns()))
        width = min(sum(whole) + GAP * (len(whole) - 1), options.max_width)
        return Measurement(width, width)

    def _columns(self) -> Iterator[_Column]:
        for index, heading in enumerate(self.columns):
            cells = [row[index] for row in self.rows]
            yield _Column(heading, cells, heading in self.folded)

    def _drawn(self, shown: Sequence[_Column], widths: Sequence[int]) -> Table:
        drawn = Table(box=None, header_style=self.header_style, pad_edge=False)
        for column, width in zip(shown, widths, strict=True):
            drawn.add_column(column.head(width), overflow="fold", width=width or None)
        for row in range(len(self.rows)):
            cells = zip(shown, widths, strict=True)
            drawn.add_row(*(column.cell(row, width) for column, width in cells))
        return drawn


@dataclass(frozen=True)
class _Column:
    heading: str
    cells: Sequence[str | Text]
    folded: bool

    def widest(self) -> int:
        """What its cells need in one line each, and its heading broken."""
        return max(_longest(HEADING_PIECES, self.heading), *map(_length, self.cells), 1)

    def narrowest(self) -> int:
        """What it needs with everything broken that may be."""
        if not self.folded:
            return self.widest()
        pieces = (_longest(NAME_PIECES, str(cell)) for cell in self.cells)
        return max(_longest(HEADING_PIECES, self.heading), *pieces, 1)

    def head(self, width: int) -> Text:
        """Its heading, in lines of that width; 0: in one."""
        return Text(_broken(HEADING_PIECES, self.heading, width))

    def cell(self, row: int, width: int) -> Text:
        """What it has in a row, in lines of that width where it may be broken; 0: in one."""
        content = self.cells[row]
        if isinstance(content, Text):
            return content
        lines = _broken(NAME_PIECES, content, width) if self.folded else content
        return Text(lines.replace(BOUND, " "))


def _whole(columns: Sequence[_Column]) -> list[int]:
    """How wide each is with nothing broken."""
    return [max(column.widest(), cell_len(column.heading)) for column in columns]


def _widths(columns: Sequence[_Column], room: int, last: bool) -> list[int]:
    """How wide each is drawn; empty: they do not fit. For the `last` try names may be cut."""
    room -= GAP * (len(columns) - 1)
    widths = _whole(columns)
    tries = [
        [column.widest() for column in columns],
        [column.narrowest() for column in columns],
    ]
    if last:
        tries.append([LEAST if column.folded else column.narrowest() for column in columns])
    for narrower in tries:
        for index in sorted(range(len(widths)), key=lambda index: -widths[index]):
            too_much = max(0, sum(widths) - room)
            widths[index] = max(narrower[index], widths[index] - too_much)
    return widths if sum(widths) <= room else []


def _broken(pieces: re.Pattern[str], content: str, width: int) -> str:
    """The content in lines that are not wider, as far as its pieces allow; 0: in one line.

    Words stay whole where they fit into a line.
    """
    if not width or cell_len(content) <= width:
        return content
    lines = [""]
    for word in WORD.findall(content):
        whole = cell_len(word.rstrip()) <= width
        for piece in [word] if whole else pieces.findall(word):
            if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _longest(pieces: re.Pattern[str], content: str) -> int:
    return max((cell_len(piece.rstrip()) for piece in pieces.findall(content)), default=0)


def _length(cell: str | Text) -> int:
    return cell.cell_len if isinstance(cell, Text) else cell_len(cell)
