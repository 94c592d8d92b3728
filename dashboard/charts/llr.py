"""A sequential test: its log-likelihood ratio over pairs, between the two bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from dashboard.boards.svg import text

WIDTH, NARROW, HEIGHT = 1216, 420, 340  # NARROW: for a phone
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 16, 52
LEAST_PAIRS = 16
APART = 75  # at least, from one number of the axis to the next
STEPS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Words:
    """What the picture says: as a whole, on the axis, and beyond the upper and the lower bound.

    `number` writes a ratio.
    """

    title: str
    axis: str
    above: str
    below: str
    number: Callable[[float], str]


def draw(path: Sequence[float], lower: float, upper: float, words: Words, width: int) -> str:
    """An SVG on one line, of WIDTH or NARROW; the ratio after each pair, 0 before the first."""
    scale = _Scale.of(path, lower, upper, width)
    css = "ix-llr ix-narrow" if width == NARROW else "ix-llr ix-wide"
    last = f'cx="{scale.x(len(path)):.1f}" cy="{scale.y(path[-1] if path else 0.0):.1f}"'
    line = " ".join(
        f"{scale.x(pairs):.1f},{scale.y(llr):.1f}" for pairs, llr in enumerate((0.0, *path))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" class="{css}" '
        f'role="img" aria-label="{escape(words.title)}">'
        f"{_zone('above', scale.high, upper, scale)}{_zone('below', lower, scale.low, scale)}"
        f"{_grid(lower, upper, scale, words.number)}{_pairs(scale, words.axis)}"
        f"{text(LEFT + 12, scale.y(upper) - 8, 'above', words.above)}"
        f"{text(LEFT + 12, scale.y(lower) + 18, 'below', words.below)}"
        f'<polyline class="line" points="{line}"/><circle class="now" {last} r="5"/></svg>'
    )


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float
    pairs: int
    width: int

    @classmethod
    def of(cls, path: Sequence[float], lower: float, upper: float, width: int) -> _Scale:
        """The bounds with room for a text beyond them, and everything between."""
        room = 0.2 * (upper - lower)
        low, high = min(lower - room, *path, 0.0), max(upper + room, *path, 0.0)
        return cls(low, high, max(len(path), LEAST_PAIRS), width)

    @property
    def right(self) -> int:
        return self.width - RIGHT

    def x(self, pairs: float) -> float:
        return LEFT + (self.right - LEFT) * pairs / self.pairs

    def y(self, llr: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (self.high - llr) / (self.high - self.low)


def _zone(css: str, top: float, foot: float, scale: _Scale) -> str:
    y = scale.y(top)
    return (
        f'<rect class="zone {css}" x="{LEFT}" y="{y:.1f}" width="{scale.right - LEFT}" '
        f'height="{scale.y(foot) - y:.1f}"/>'
    )


def _grid(lower: float, upper: float, scale: _Scale, number: Callable[[float], str]) -> str:
    return "".join(
        f'<path class="{css}" d="M{LEFT} {scale.y(llr):.1f}H{scale.right}"/>'
        f"{text(LEFT - 8, round(scale.y(llr) + 4, 1), 'tick', number(llr), 'end')}"
        for css, llr in (("bound above", upper), ("zero", 0.0), ("bound below", lower))
    )


def _pairs(scale: _Scale, axis: str) -> str:
    room = (scale.right - LEFT) / APART
    every = next(step for step in STEPS if scale.pairs <= room * step)
    ticks = "".join(
        text(round(scale.x(pairs), 1), HEIGHT - BOTTOM + 22, "tick", str(pairs), "middle")
        for pairs in range(0, scale.pairs + 1, every)
    )
    return ticks + text((LEFT + scale.right) / 2, HEIGHT - 4, "axis", axis, "middle")
