"""Safe pieces of HTML. Every text that comes from people passes through `safe` once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlencode

import streamlit as st

from dashboard.i18n import reader


def safe(content: object) -> str:
    """The content as text inside HTML."""
    return escape(str(content))


def address(page: str, /, **parameters: object) -> str:
    """The plain address of a page; parameters that are None are left out.

    A language that the reader chose goes along.
    """
    wanted = {**parameters, reader.PARAMETER: reader.chosen()}
    given = {name: str(value) for name, value in wanted.items() if value is not None}
    return f"{page}?{urlencode(given, safe='/')}" if given else page


def link(target: str, content: object) -> str:
    """A link that stays in this tab."""
    return f'<a href="{escape(target)}" target="_self">{safe(content)}</a>'


def badge(content: str, kind: str) -> str:
    """A short verdict in a rounded frame; `kind` is good, bad, busy or plain."""
    return f'<span class="ix-badge ix-{kind}">{safe(content)}</span>'


def heading(content: object, level: int = 2) -> str:
    """A heading of a part of a page."""
    return f'<h{level} class="ix-h">{safe(content)}</h{level}>'


def soft(html: str) -> str:
    """A quiet line of HTML."""
    return f'<p class="ix-soft">{html}</p>'


def missing(what: str, then: str) -> str:
    """That there is no such thing, and what to do: a text and HTML."""
    return f'<p class="ix-missing" role="alert"><b>{safe(what)}</b><br>{then}</p>'


def tiles(facts: Sequence[tuple[str, str]]) -> str:
    """Labels, each with a value large below it; the values are HTML already."""
    cells = "".join(f"<div><dt>{safe(label)}</dt><dd>{value}</dd></div>" for label, value in facts)
    return f'<dl class="ix-tiles">{cells}</dl>'


def tabs(label: str, entries: Sequence[tuple[str, str]], current: str) -> str:
    """Links to the parts of a page; `entries` are addresses with their labels."""
    links = "".join(
        f'<a href="{escape(target)}" target="_self"'
        f"{' aria-current=page' if text == current else ''}>{safe(text)}</a>"
        for target, text in entries
    )
    return f'<nav class="ix-tabs" aria-label="{safe(label)}">{links}</nav>'


def progress(share: float) -> str:
    """A bar that is full at 1."""
    percent = f"{100 * share:.1f}%"
    return f'<div class="ix-progress"><i style="width:{percent}"></i></div>'


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


def titled(*parts: str) -> None:
    """Name the tab of the browser by these parts, the most special first."""
    st.set_page_config(page_title=" · ".join((*parts, "Interrex")))


def show(html: str) -> None:
    """Put HTML made of the pieces above on the page."""
    st.html(html)


def draw(svg: str) -> None:
    """Put a picture on the page: `st.html` would drop it. It holds no blank line and no script."""
    st.markdown(f"<div>{svg}</div>", unsafe_allow_html=True)
