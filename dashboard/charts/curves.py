"""Ratings over slots as lines: every bot has a colour, a shape and its name at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from arena_service.figures import signed

WIDTH, NARROW, HEIGHT = 1100, 460, 380  # NARROW: of the picture of a single slot
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 18, 44
LINE = 17
BESIDE = 22  # from one curve to the next in a single slot
MAX_CURVES = 8
SIZES = (4, 6)  # of a point, and of the first one of a new version


@dataclass(frozen=True)
class Point:
    """A rating after a slot; `said` is what the reader is told of it."""

    slot: int
    value: float
    error: float
    version: int
    said: str


@dataclass(frozen=True)
class Curve:
    """What one bot was rated, in the order of the slots; there is at least one point."""

    name: str
    points: tuple[Point, ...]


def draw(curves: Sequence[Curve], title: str, axis: str) -> str:
    """An SVG on one line; at most MAX_CURVES curves, errors only of a single curve or slot."""
    shown = curves[:MAX_CURVES]
    scale = _Scale.of(shown)
    parts = [_grid(scale), _slots(scale, axis)]
    if scale.first == scale.last:
        parts += [_whisker(index, curve, scale) for index, curve in enumerate(shown)]
    elif len(shown) == 1:
        parts.append(_band(shown[0], scale))
    parts += [_line(index, curve, scale) for index, curve in enumerate(shown)]
    parts += [_marks(index, curve, scale) for index, curve in enumerate(shown)]
    parts += [_uploads(index, curve, scale) for index, curve in enumerate(shown)]
    parts.append(_names(shown, scale))
    single = " ix-single" if scale.first == scale.last else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scale.width} {HEIGHT}" '
        f'class="ix-curves{single}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


@dataclass(frozen=True)
class _Scale:
    first: int
    last: int
    low: float
    high: float
    step: int
    count: int

    @property
    def width(self) -> int:
        return NARROW if self.first == self.last else WIDTH

    @classmethod
    def of(cls, curves: Sequence[Curve]) -> _Scale:
        points = [point for curve in curves for point in curve.points]
        wide = len(curves) == 1 or len({point.slot for point in points}) == 1
        low = min(point.value - wide * point.error for point in points)
        high = max(point.value + wide * point.error for point in points)
        step = next(
            s for s in (10, 25, 50, 100, 200, 500, 1000, 5000) if high - low <= 6 * s or s == 5000
        )
        return cls(
            first=min(point.slot for point in points),
            last=max(point.slot for point in points),
            low=step * (low // step),
            high=step * (high // step + 1),
            step=step,
            count=len(curves),
        )

    def x(self, slot: int, index: int) -> float:
        """Where the slot is; in a single slot the curves stand side by side around its middle."""
        room = self.width - LEFT - RIGHT
        if self.first == self.last:
            return LEFT + room / 2 + BESIDE * (index - (self.count - 1) / 2)
        return LEFT + room * (slot - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        room = HEIGHT - TOP - BOTTOM
        return TOP + room * (self.high - value) / (self.high - self.low)


def _grid(scale: _Scale) -> str:
    lines = []
    for value in range(int(scale.low), int(scale.high) + 1, scale.step):
        y = scale.y(value)
        css = "zero" if value == 0 else "grid"
        lines.append(f'<path class="{css}" d="M{LEFT} {y:.1f}H{scale.width - RIGHT}"/>')
        lines.append(
            f'<text class="tick" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">'
            f"{signed(value)}</text>"
        )
    return "".join(lines)


def _slots(scale: _Scale, axis: str) -> str:
    count = scale.last - scale.first
    every = max(1, -(-count // 12))
    middle = (LEFT + scale.width - RIGHT) / 2
    single = scale.first == scale.last
    labels = [
        f'<text class="tick" x="{middle if single else scale.x(slot, 0):.1f}" '
        f'y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{slot}</text>'
        for slot in range(scale.first, scale.last + 1, every)
    ]
    place = f'x="{middle:g}" y="{HEIGHT - 4}" text-anchor="middle"'
    return "".join(labels) + f'<text class="axis" {place}>{escape(axis)}</text>'


def _band(curve: Curve, scale: _Scale) -> str:
    above = [f"{scale.x(p.slot, 0):.1f},{scale.y(p.value + p.error):.1f}" for p in curve.points]
    below = [f"{scale.x(p.slot, 0):.1f},{scale.y(p.value - p.error):.1f}" for p in curve.points]
    return f'<polygon class="band c0" points="{" ".join(above + below[::-1])}"/>'


def _whisker(index: int, curve: Curve, scale: _Scale) -> str:
    """The error of the only slot, through its point."""
    point = curve.points[0]
    x = scale.x(point.slot, index)
    top, foot = (scale.y(point.value + sign * point.error) for sign in (1, -1))
    return f'<path class="whisker c{index}" d="M{x:.1f} {top:.1f}V{foot:.1f}"/>'


def _line(index: int, curve: Curve, scale: _Scale) -> str:
    line = " ".join(f"{scale.x(p.slot, index):.1f},{scale.y(p.value):.1f}" for p in curve.points)
    return f'<polyline class="line c{index}" points="{line}"/>'


def _marks(index: int, curve: Curve, scale: _Scale) -> str:
    fresh = _fresh(curve)
    parts = []
    for point in curve.points:
        first = point in fresh
        sign = _shape(index, scale.x(point.slot, index), scale.y(point.value), SIZES[first])
        parts.append(
            f'<g class="mark c{index}{" fresh" if first else ""}">'
            f"<title>{escape(point.said)}</title>{sign}</g>"
        )
    return "".join(parts)


def _uploads(index: int, curve: Curve, scale: _Scale) -> str:
    return "".join(
        f'<text class="upload c{index}" x="{scale.x(point.slot, index):.1f}" '
        f'y="{scale.y(point.value) - 11:.1f}" text-anchor="middle">v{point.version}</text>'
        for point in _fresh(curve)
    )


def _fresh(curve: Curve) -> list[Point]:
    """The first points of versions that followed another."""
    return [now for before, now in pairwise(curve.points) if now.version != before.version]


def _shape(index: int, x: float, y: float, size: float) -> str:
    """Circle, square, diamond or triangle: colours alone do not tell curves apart."""
    match index % 4:
        case 0:
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
        case 1:
            return (
                f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size}" '
                f'height="{2 * size}"/>'
            )
        case 2:
            far = 1.35 * size
            return f'<path d="M{x:.1f} {y - far:.1f}l{far} {far} {-far} {far} {-far} {-far}Z"/>'
        case _:
            return f'<path d="M{x:.1f} {y - size:.1f}l{size} {2 * size}h{-2 * size}Z"/>'


def _names(curves: Sequence[Curve], scale: _Scale) -> str:
    """The names at the right end, pushed apart so that none covers another."""
    ends = sorted(
        (scale.y(curve.points[-1].value), index, curve) for index, curve in enumerate(curves)
    )
    parts, floor = [], float("-inf")
    lowest = HEIGHT - BOTTOM - LINE * (len(ends) - 1)
    for place, (end, index, curve) in enumerate(ends):
        y = max(min(end, lowest + LINE * place), floor)
        floor = y + LINE
        last = curve.points[-1]
        x = scale.width - RIGHT + 18
        parts.append(
            f'<path class="lead c{index}" d="M{scale.x(last.slot, index) + 7:.1f} {end:.1f}'
            f'L{x - 14} {y:.1f}"/>'
            f'<g class="mark c{index}">{_shape(index, x - 4, y, 4)}</g>'
            f'<text class="name c{index}" x="{x + 6}" y="{y + 4.5:.1f}">'
            f"{escape(_short(curve.name))} {signed(last.value)}</text>"
        )
    return "".join(parts)


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"
