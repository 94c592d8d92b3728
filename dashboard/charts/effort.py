"""Time per decision as bars: CPU time filled, the wall time around it as an outline."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT = 760, 190
LEFT, RIGHT, TOP, BOTTOM = 62, 12, 14, 36
WIDEST = 34


def draw(cpu: Sequence[float], wall: Sequence[float], title: str, axis: str, said: str) -> str:
    """An SVG on one line; times in ms, one per decision. `said` takes number, cpu and wall."""
    highest = max(*cpu, *wall, 0.1)
    room = WIDTH - LEFT - RIGHT
    step = room / len(cpu)
    bars = "".join(
        _bar(
            LEFT + index * step,
            step,
            pair,
            highest,
            said.format(number=index + 1, cpu=f"{pair[0]:.1f}", wall=f"{pair[1]:.1f}"),
        )
        for index, pair in enumerate(zip(cpu, wall, strict=True))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'class="ix-effort" role="img" aria-label="{escape(title)}">'
        f"{_scale(highest)}{bars}{_numbers(len(cpu), step, axis)}</svg>"
    )


def _y(value: float, highest: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / highest)


def _bar(x: float, step: float, times: tuple[float, float], highest: float, said: str) -> str:
    ground = HEIGHT - BOTTOM
    width = max(1.0, min(step * 0.72, WIDEST))
    left = x + (step - width) / 2
    shapes = "".join(
        f'<rect class="{css}" x="{left:.1f}" y="{_y(value, highest):.1f}" width="{width:.1f}" '
        f'height="{ground - _y(value, highest):.1f}" rx="1.5"/>'
        for css, value in (("wall", times[1]), ("cpu", times[0]))
    )
    return f"<g><title>{escape(said)}</title>{shapes}</g>"


def _scale(highest: float) -> str:
    lines = []
    for share in (0.0, 0.5, 1.0):
        y = _y(share * highest, highest)
        lines.append(
            f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
            f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
            f"{_short(share * highest)} ms</text>"
        )
    return "".join(lines)


def _numbers(count: int, step: float, axis: str) -> str:
    every = max(1, -(-count // 14))
    ticks = "".join(
        f'<text class="tick" x="{LEFT + (index + 0.5) * step:.1f}" y="{HEIGHT - BOTTOM + 16}" '
        f'text-anchor="middle">{index + 1}</text>'
        for index in range(0, count, every)
    )
    middle = (LEFT + WIDTH - RIGHT) / 2
    place = f'x="{middle:g}" y="{HEIGHT - 4}" text-anchor="middle"'
    return ticks + f'<text class="axis" {place}>{escape(axis)}</text>'


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
