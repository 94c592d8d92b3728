"""Every text is translated, whole, with every placeholder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from dashboard.i18n import text
from scripts.generate_translations import compiled, read, template, texts, translations, updated

PLACEHOLDER = re.compile(r"\{\w+\}")


def language(path: Path) -> str:
    return path.parents[1].name


def both(message: Message, which: str) -> list[str]:
    value = getattr(message, which)
    return [value] if isinstance(value, str) else list(value)


def test_there_is_a_translation_for_every_language_that_is_offered() -> None:
    assert {language(path) for path in translations()} == set(text.NAMES) - {text.SOURCE}


@pytest.mark.parametrize("path", translations(), ids=language)
def test_the_committed_files_fit_the_code(path: Path) -> None:
    assert path.read_bytes() == updated(path, template()), "run scripts/generate_translations.py"
    assert path.with_suffix(".mo").read_bytes() == compiled(path)


@pytest.mark.parametrize("path", translations(), ids=language)
def test_every_text_is_translated_with_its_placeholders_and_edges(path: Path) -> None:
    for message in read(path):
        if not message.id:
            continue
        wanted = set(PLACEHOLDER.findall(" ".join(both(message, "id"))))
        for translated in both(message, "string"):
            assert translated, message.id
            assert set(PLACEHOLDER.findall(translated)) == wanted, message.id
            source = both(message, "id")[0]
            assert translated[0].isspace() == source[0].isspace(), message.id
            assert translated[-1].isspace() == source[-1].isspace(), message.id


def test_texts_are_found_wherever_they_stand() -> None:
    source = """x = f"<b>{_('in an f-string')}</b>" + plural("{count} one", "{count} many", n)
y = _("two" " parts") + other("no text") + _(name)"""
    assert set(texts(source)) == {
        "in an f-string",
        ("{count} one", "{count} many"),
        "two parts",
    }


@pytest.mark.parametrize(
    ("tag", "known"), [("de-AT", "de"), ("DE", "de"), ("en_US", "en"), ("xx", None), ("", None)]
)
def test_a_language_is_known_by_its_first_part(tag: str, known: str | None) -> None:
    assert text.known(tag) == known


def test_what_is_spoken_is_what_is_read() -> None:
    try:
        text.speak("de")
        assert text._("Matches") == "Partien"
        assert text.plural("{count} match", "{count} matches", 1) == "1 Partie"
        assert text.plural("{count} match", "{count} matches", 0) == "0 Partien"
    finally:
        text.speak("en")
    assert text._("Matches") == "Matches"
