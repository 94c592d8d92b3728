"""The board of a game from elsewhere that brings no picture: its view, as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.boards.svg import shorten, style, text
from dashboard.i18n.text import _

_LINE = 20
_STYLE = style(
    "--none:0",
    "--none:0",
    ".board text{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:14px;"
    "fill:var(--ink)}.board .key{fill:var(--soft)}.board .now{fill:var(--gold);font-weight:700}",
)


def render(
    view: Mapping[str, Any], last_action: Mapping[str, Any] | None, names: Sequence[str] = ()
) -> str:
    """The view's entries, one a line, under the last action."""
    last = str(last_action["action"]) if last_action else _("the deal")
    rows = [text(28, 40, "now", last)]
    for index, (key, value) in enumerate(sorted(view.items())):
        y = 76 + index * _LINE
        rows.append(text(28, y, "key", shorten(str(key), 22)))
        rows.append(text(240, y, "", shorten(json.dumps(value, ensure_ascii=False), 106)))
    height = 92 + len(view) * _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1180 {height}" class="board" '
        f'role="img">{_STYLE}<rect width="1180" height="{height}" rx="16" '
        f'style="fill:var(--paper)"/>{"".join(rows)}</svg>'
    )
