"""Small building blocks of every board: text, whose turn it is, and colours for light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dashboard.i18n.text import _

_LIGHT = (
    "--paper:#f6f1e7;--table:#e4eadd;--panel:#fffdf8;--line:#d9cfbc;--ink:#2a2622;"
    "--soft:#6b6051;--card:#fffdf8;--edge:#cfc3ad;--back:#4a4238;--back-edge:#f6f1e7;"
    "--gold:#b8901a;--gold-ink:#75590a;--glow:#f3e3a8;--on-gold:#241c05"
)
_DARK = (
    "--paper:#1d1a17;--table:#262c25;--panel:#27231f;--line:#443d34;--ink:#ece5d8;"
    "--soft:#b3a792;--card:#312c26;--edge:#5a5145;--back:#0f0d0b;--back-edge:#6e6353;"
    "--gold:#e0b93c;--gold-ink:#e0b93c;--glow:#4d421d;--on-gold:#241c05"
)


def style(light: str, dark: str, rules: str) -> str:
    """One `<style>`: follows the reader's system, or a `data-theme` on any ancestor."""
    return (
        f"<style>.board{{{_LIGHT};{light}}}"
        f"@media (prefers-color-scheme:dark){{.board{{{_DARK};{dark}}}}}"
        f'[data-theme="light"] .board{{{_LIGHT};{light}}}'
        f'[data-theme="dark"] .board{{{_DARK};{dark}}}'
        f"{rules}</style>"
    )


def text(x: float, y: float, css: str, content: str, anchor: str = "start") -> str:
    """A line of text; the content is escaped."""
    return (
        f'<text x="{x:g}" y="{y:g}" class="{css}" text-anchor="{anchor}">{escape(content)}</text>'
    )


def shorten(content: str, longest: int) -> str:
    """The content, cut with an ellipsis when it is longer than that many characters."""
    return content if len(content) <= longest else content[: longest - 1] + "…"


def stage(actor: int, names: Sequence[str]) -> str:
    """Whose turn it is, in words for those who do not see the board; -1: the game is over."""
    return _("The game is over.") if actor < 0 else _("{name} to act.").format(name=names[actor])


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """By seat the name without its owner, with it where two would be called the same.

    Names that are the same as a whole get their seats.
    """
    bare = [name.rsplit("/", 1)[-1] for name in names]
    return tuple(
        _("{name} on seat {seat}").format(name=short, seat=seat)
        if names.count(name) > 1
        else name
        if bare.count(short) > 1
        else short
        for seat, (name, short) in enumerate(zip(names, bare, strict=True))
    )


def on_phone(css: str, corner: tuple[float, float], scale: float, to: tuple[float, float]) -> str:
    """A rule that enlarges a part of a picture and moves its corner elsewhere."""
    x, y = to[0] - corner[0] * scale, to[1] - corner[1] * scale
    return f"{css}{{transform:translate({x:g}px,{y:g}px) scale({scale:g})}}"
