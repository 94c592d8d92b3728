"""The one door for texts that people read: `_`, by gettext, in the language being spoken."""

from __future__ import annotations

import gettext
import os
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LOCALES = Path(__file__).parent / "locale"
SOURCE = "en"  # what the messages themselves are written in
NAMES = {"en": "English", "de": "Deutsch"}

_spoken: ContextVar[str] = ContextVar("spoken")


def fixed_language() -> str | None:
    """The language of the whole arena by INTERREX_LANGUAGE, if it sets one that is known."""
    return known(os.environ.get("INTERREX_LANGUAGE", ""))


def known(wanted: str) -> str | None:
    """The language of a tag like `de-AT`, or None when there is no translation into it."""
    language = wanted.replace("_", "-").partition("-")[0].lower()
    return language if language in NAMES else None


def speak(language: str) -> None:
    """From now on this thread speaks that language; it must be a key of NAMES."""
    _spoken.set(language)


def spoken() -> str:
    """The language that is spoken here."""
    return _spoken.get(None) or fixed_language() or SOURCE


def _(message: str) -> str:
    """The message in the language that is spoken, or itself."""
    return _catalogue(spoken()).gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """`one` or `many` by the language's rule, with `{count}` filled in."""
    return _catalogue(spoken()).ngettext(one, many, count).format(count=count)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("interrex", localedir=LOCALES, languages=[language])
