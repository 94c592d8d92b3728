"""The one door for texts that people read: `_`, by gettext, in INTERREX_LANGUAGE."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

LOCALES = Path(__file__).parent / "locales"
_catalogue = gettext.translation(
    "interrex",
    localedir=LOCALES,
    languages=[os.environ.get("INTERREX_LANGUAGE") or "en"],
    fallback=True,
)


def _(message: str) -> str:
    """The message in the reader's language, or itself."""
    return _catalogue.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """`one` or `many` by the language's rule, with `{count}` filled in."""
    return _catalogue.ngettext(one, many, count).format(count=count)
