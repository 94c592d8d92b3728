"""`bot.toml`: what a bot is called, what it plays and how it is started."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "bot.toml"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
PROTOCOLS = ("json",)
PLANNED_PROTOCOLS = ("text", "protobuf")
FIELDS = ("name", "games", "run", "protocol")


class ManifestError(ValueError):
    """An unusable manifest: `field` is what is wrong, `expected` what should stand there."""

    def __init__(self, field: str, expected: str) -> None:
        """Both parts are written for the bot's author."""
        super().__init__(f"{FILE}: {field}: expected {expected}")
        self.field = field
        self.expected = expected


@dataclass(frozen=True)
class Manifest:
    """A checked manifest; that the named games exist is for the caller to check."""

    name: str
    games: tuple[str, ...]
    run: tuple[str, ...]
    protocol: str


def load(folder: Path) -> Manifest:
    """The manifest of a bot's folder."""
    try:
        content = (folder / FILE).read_bytes()
    except OSError as error:
        raise ManifestError("file", f"one that can be read in {folder}") from error
    return parse(content)


def parse(content: bytes) -> Manifest:
    """Read the bytes of a `bot.toml`; raises ManifestError for the first field that is wrong."""
    try:
        raw = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ManifestError("file", f"TOML in UTF-8 ({error})") from error
    for field in raw:
        if field not in FIELDS:
            raise ManifestError(field, f"only the fields {', '.join(FIELDS)}")
    return Manifest(_name(raw), _words(raw, "games"), _words(raw, "run"), _protocol(raw))


def _name(raw: dict[str, Any]) -> str:
    name = raw.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ManifestError("name", "1 to 40 of a-z, 0-9 and -, not starting with -")
    return name


def _words(raw: dict[str, Any], field: str) -> tuple[str, ...]:
    words = raw.get(field)
    if not isinstance(words, list) or not words or not all(map(_is_word, words)):
        raise ManifestError(field, "a list of one or more non-empty strings")
    return tuple(words)


def _is_word(word: object) -> bool:
    return isinstance(word, str) and word != "" and "\0" not in word


def _protocol(raw: dict[str, Any]) -> str:
    protocol = raw.get("protocol", "json")
    if protocol in PLANNED_PROTOCOLS:
        raise ManifestError("protocol", f'"json": "{protocol}" is not built yet')
    if protocol not in PROTOCOLS:
        raise ManifestError("protocol", '"json"')
    return str(protocol)
