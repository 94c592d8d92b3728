"""Every value of an export, and changes of it that could have been honest."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from arena_service.audit.examine import audit
from arena_service.audit.files import ExportError
from arena_service.formats import catalogue
from arena_service.store.states import ENDED, DepartureKind
from engine_service.core.replay import ENDINGS
from tests.arena_service.audit.events import Lines

Keys = tuple[str | int, ...]
# Where one of these words stands, another of them is the change that is hardest to see.
WORDS: tuple[Sequence[str], ...] = (
    ("tournament", "ladder"),
    sorted(ENDED),
    catalogue.played(),
    list(DepartureKind),
    ENDINGS,
)
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT.*Z")
FRACTION = re.compile(r"\d+\.\d+")
HEXADECIMAL = re.compile(r"[0-9a-f]{16,}")
OF_ANY_TYPE = (1, 0.5, True, "x", ["x"], {"x": 1}, "2026-03-01T12:00:00Z")
HOUR = timedelta(hours=1)
SHORTEST_NAME = 5  # letters; shorter words stand in an export for many things


@dataclass(frozen=True)
class Leaf:
    """A value at `keys` of a line; `path` is that of its like: `match.players[].bot_seed`."""

    path: str
    line: int
    keys: Keys
    value: Any


@dataclass(frozen=True)
class Change:
    """An export, line by line, in which a value of `path` was changed; `how` says it to people."""

    path: str
    how: str
    text: list[str]


def leaves(lines: Lines) -> dict[str, list[Leaf]]:
    """Every value by its path, in the order of the file; an empty list or object is a value."""
    found: dict[str, list[Leaf]] = defaultdict(list)
    for number, line in enumerate(lines):
        for keys, value in _walk(line, ()):
            if keys != ("kind",):
                path = "".join("[]" if isinstance(key, int) else f".{key}" for key in keys)
                leaf = Leaf(line["kind"] + path, number, keys, value)
                found[leaf.path].append(leaf)
    return found


def changes(lines: Lines, asked: Callable[[str], bool]) -> Iterator[Change]:
    """Of the values of each path that is asked for: some changed, two exchanged, a name renamed.

    A name is renamed wherever it stands; that is of the first path alone in which it does.
    """
    text, known = [json.dumps(line) for line in lines], set[Any]()
    for path, found in leaves(lines).items():
        if asked(path):
            for how, changed in _changed(text, found, known):
                yield Change(path, how, changed)
        known.update(leaf.value for leaf in found if isinstance(leaf.value, str))


def _changed(
    text: list[str], found: Sequence[Leaf], known: set[Any]
) -> Iterator[tuple[str, list[str]]]:
    first = found[0]
    picked = {type(leaf.value): leaf for leaf in reversed(found)}  # the first of each type
    for leaf in {id(leaf): leaf for leaf in (*picked.values(), found[-1])}.values():
        for other in others(leaf.value):
            yield f"{leaf.value!r} -> {other!r}", _with(text, leaf, other)
    for leaf in found:
        if leaf.keys == first.keys and leaf.value != first.value:
            exchanged = _with(_with(text, first, leaf.value), leaf, first.value)
            if _rounded(exchanged) != _rounded(text):
                yield f"{first.value!r} <-> {leaf.value!r}", exchanged
                break
    name = first.value
    if isinstance(name, str) and len(name) >= SHORTEST_NAME and name not in known:
        for other in filter(None, others(name)):
            yield f"{name} => {other}", [line.replace(name, other) for line in text]


def others(value: Any) -> list[Any]:
    """What could stand there instead; null too."""
    match value:
        case None:
            return list(OF_ANY_TYPE)
        case bool():
            return [not value, None]
        case int() | float():
            return [value + 1, value - 1, None]
        case str():
            return [*_other_words(value), None]
        case list():
            return [["x"], None]
        case _:
            return [{"x": 1}, None]


def is_told(change: Change, path: Path) -> bool:
    """Whether the audit refuses the file, or names something that is wrong or odd in it."""
    path.write_bytes(gzip.compress("\n".join([*change.text, ""]).encode(), compresslevel=1))
    try:
        report = audit(path, lambda done: None)
    except ExportError:
        return True
    return not report.is_clean or report.oddities != []


def _rounded(text: list[str]) -> list[str]:
    """The lines in any order, and what a computer makes of equal numbers equal again."""
    return sorted(FRACTION.sub(lambda found: f"{float(found[0]):.6f}", line) for line in text)


def _walk(value: Any, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    if not inner:
        yield keys, value
    for key, each in inner:
        yield from _walk(each, (*keys, key))


def _other_words(value: str) -> list[str]:
    for words in WORDS:
        if value in words:
            return [word for word in words if word != value]
    if INSTANT.fullmatch(value):
        moment = datetime.fromisoformat(value)
        moved = [(moment + by).isoformat().replace("+00:00", "Z") for by in (HOUR, -HOUR)]
        return [*moved, value.removesuffix("Z")]
    if HEXADECIMAL.fullmatch(value):
        return [value[:-1] + ("1" if value[-1] == "0" else "0")]  # sorted where it was
    return [f"{value}x"]


def _with(text: list[str], leaf: Leaf, value: Any) -> list[str]:
    line = json.loads(text[leaf.line])
    holder = line
    for key in leaf.keys[:-1]:
        holder = holder[key]
    holder[leaf.keys[-1]] = value
    return [*text[: leaf.line], json.dumps(line), *text[leaf.line + 1 :]]
