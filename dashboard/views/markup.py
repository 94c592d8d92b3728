"""Safe pieces of HTML. Every text that comes from people passes through `safe` once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlencode

import streamlit as st

STYLE = """<style>
.ix{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.95rem}
.ix th{text-align:left;font-size:.75rem;font-weight:600;letter-spacing:.07em;opacity:.7;
text-transform:uppercase;padding:.45rem .7rem;border-bottom:1px solid rgba(140,125,100,.45);
white-space:nowrap}
.ix td{padding:.55rem .7rem;border-bottom:1px solid rgba(140,125,100,.22);vertical-align:middle}
.ix .r{text-align:right;white-space:nowrap}.ix .soft,.ix-soft{opacity:.72;font-size:.86rem}
.ix tr:hover td{background:rgba(184,144,26,.08)}
.ix-bar{position:relative;width:9rem;height:1.1rem;border-radius:4px;
background:linear-gradient(90deg,transparent calc(50% - .5px),rgba(140,125,100,.7) calc(50% - .5px),
rgba(140,125,100,.7) calc(50% + .5px),transparent calc(50% + .5px)),rgba(140,125,100,.18)}
.ix-bar i{position:absolute;top:.38rem;height:.34rem;border-radius:3px;background:#b8901a;
opacity:.65}
.ix-bar b{position:absolute;top:.15rem;width:.22rem;height:.8rem;border-radius:2px;
background:#b8901a;margin-left:-.11rem}
.ix-badge{display:inline-block;border:1px solid currentColor;border-radius:99px;
padding:.12rem .7rem;font-size:.82rem;font-weight:600}
.ix-good{color:#3d7a3a}.ix-bad{color:#b8402f}
@media (prefers-color-scheme:dark){.ix-good{color:#8fc88b}.ix-bad{color:#f0907f}}
.ix-progress{height:.4rem;border-radius:3px;background:rgba(140,125,100,.25);margin:.2rem 0 1rem}
.ix-progress i{display:block;height:100%;border-radius:3px;background:#b8901a}
.ix a,.ix-soft a{color:inherit;text-decoration-color:#b8901a;text-underline-offset:.2em}
.ix-wrap{overflow-x:auto}.ix code{font-size:.85em}.ix-win{font-weight:700}
</style>"""


def safe(content: object) -> str:
    """The content as text inside HTML."""
    return escape(str(content))


def address(page: str, /, **parameters: object) -> str:
    """The plain address of a page; parameters that are None are left out."""
    given = {name: str(value) for name, value in parameters.items() if value is not None}
    return f"{page}?{urlencode(given)}" if given else page


def link(target: str, content: object) -> str:
    """A link that stays in this tab."""
    return f'<a href="{escape(target)}" target="_self">{safe(content)}</a>'


def badge(content: str, good: bool) -> str:
    """A short verdict in a rounded frame."""
    return f'<span class="ix-badge {"ix-good" if good else "ix-bad"}">{safe(content)}</span>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numeric: frozenset[int]) -> str:
    """A table; the cells are HTML already, the heads are texts; `numeric` columns align right."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{' class=r' if i in numeric else ''}>{cell}</{tag}>"
            for i, cell in enumerate(cells)
        )

    head = line("th", [safe(text) for text in heads])
    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return (
        f'<div class="ix-wrap"><table class="ix"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def show(html: str) -> None:
    """Put HTML made of the pieces above on the page."""
    st.html(STYLE + html)
