"""The formats there are, by the name that a tournament is created with."""

from __future__ import annotations

from collections.abc import Mapping

from arena_service.formats.challenge import Challenge
from arena_service.formats.comparison import Comparison
from arena_service.formats.double_elimination import DoubleElimination
from arena_service.formats.final import Final
from arena_service.formats.format import Format
from arena_service.formats.gauntlet import Gauntlet
from arena_service.formats.round_robin import RoundRobin
from arena_service.formats.swiss import Swiss
from arena_service.store.errors import InvalidError

DEFAULT = "round_robin"
LADDER = "ladder"  # of slots, which are no tournaments
CHALLENGE = "challenge"
FINAL = "final"
_FORMATS: Mapping[str, Format] = {
    "round_robin": RoundRobin(),
    "gauntlet": Gauntlet(),
    "swiss": Swiss(),
    "double_elimination": DoubleElimination(),
    "test": Comparison(),
    CHALLENGE: Challenge(),
    FINAL: Final(),
}
_OF_THEIR_OWN = (CHALLENGE, FINAL)  # made by calls of their own


def find(name: str) -> Format:
    """The format of a name; raises InvalidError."""
    found = _FORMATS.get(name)
    if found is None:
        raise _unknown(name)
    return found


def played() -> tuple[str, ...]:
    """What an event can be: a slot of a ladder, or a tournament of a format."""
    return (LADDER, *_FORMATS)


def offered(name: str) -> Format:
    """The format of a name that a tournament may be created with; raises InvalidError."""
    if name in _OF_THEIR_OWN:
        raise _unknown(name)
    return find(name)


def _unknown(name: str) -> InvalidError:
    known = ", ".join(each for each in _FORMATS if each not in _OF_THEIR_OWN)
    return InvalidError("format", f"one of {known}, got {name[:40]!r}")
