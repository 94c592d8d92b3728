"""The formats there are, by the name that a tournament is created with."""

from __future__ import annotations

from collections.abc import Mapping

from arena_service.formats.comparison import Comparison
from arena_service.formats.double_elimination import DoubleElimination
from arena_service.formats.format import Format
from arena_service.formats.gauntlet import Gauntlet
from arena_service.formats.round_robin import RoundRobin
from arena_service.formats.swiss import Swiss
from arena_service.store.errors import InvalidError

DEFAULT = "round_robin"
_FORMATS: Mapping[str, Format] = {
    "round_robin": RoundRobin(),
    "gauntlet": Gauntlet(),
    "swiss": Swiss(),
    "double_elimination": DoubleElimination(),
    "test": Comparison(),
}


def find(name: str) -> Format:
    """The format of a name; raises InvalidError."""
    found = _FORMATS.get(name)
    if found is None:
        raise InvalidError("format", f"one of {', '.join(_FORMATS)}, got {name[:40]!r}")
    return found
