"""How wide a line of text is, and lines that keep within the room they have."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

#: Widths in ems of bold letters, rounded up, in DejaVu Sans, which is wider than most.
_NARROW, _SLIM, _PLAIN, _BROAD, _WIDE = 0.38, 0.5, 0.73, 0.87, 1.1
_WIDTHS = {
    letter: width
    for width, letters in (
        (_NARROW, " '/IJijl\\|,.·"),
        (_SLIM, "-:;ftr!()[]_`"),
        (_PLAIN, '?zcsvxykaäeéoöhnuübdpqßgLEFTSYCPZ$0123456789{}"*'),
        (_BROAD, "ABDGHKNOQRUVXÄÖÜ#&+<=>^~Σ"),
    )
    for letter in letters
}
_REGULAR = 0.92  # against bold
_SMALLEST = 0.78  # a line never gets smaller than that part of its size


@dataclass(frozen=True)
class Line:
    """A line of text and its size in units of the picture."""

    content: str
    size: float
    bold: bool = False

    @property
    def width(self) -> float:
        """At most so wide; of letters of other scripts, about."""
        ems = sum(_WIDTHS.get(letter, _WIDE) for letter in self.content)
        return ems * self.size * (1 if self.bold else _REGULAR)

    def within(self, room: float) -> Line:
        """The line, smaller where it must be, then cut with an ellipsis."""
        if self.width <= room:
            return self
        smaller = Line(self.content, self.size * max(_SMALLEST, room / self.width), self.bold)
        return smaller if smaller.width <= room + 0.01 else smaller._cut(room)

    def _cut(self, room: float) -> Line:
        content = self.content
        while content and Line(f"{content}…", self.size, self.bold).width > room:
            content = content[:-1]
        return Line(f"{content}…", self.size, self.bold)

    def fits(self, room: float) -> bool:
        """Whether it keeps within the room uncut."""
        return self.within(room).content == self.content


def fitted(x: float, y: float, css: str, line: Line, room: float, anchor: str = "start") -> str:
    """The line within its room; `css` gives a line that need not shrink its size."""
    drawn = line.within(room)
    style = f' style="font-size:{drawn.size:.4g}px"' if drawn.size < line.size else ""
    return (
        f'<text x="{x:g}" y="{y:g}" class="{css}" text-anchor="{anchor}"{style}>'
        f"{escape(drawn.content)}</text>"
    )
