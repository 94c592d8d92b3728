"""The options of Hidden Leaders: Duel, read from JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine_service.core.errors import OptionError
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, MAX_STRENGTH, NUMBER
from engine_service.games.hidden_leaders_duel.state import HEROES, Heroes, Leader, Options

_NAMES = ("deck", "leaders", "hidden_factions")
_LEADER_KEYS = {"factions", "value"}


def parse_options(raw: Any) -> Options:
    """`deck`, `leaders`, `hidden_factions` and nothing else; raises OptionError."""
    if not isinstance(raw, Mapping):
        raise OptionError("options", "an object")
    for key in raw:
        if key not in _NAMES:
            raise OptionError(str(key), f"one of {', '.join(_NAMES)}")
    defaults = Options()
    return Options(
        deck=_deck(raw["deck"]) if "deck" in raw else defaults.deck,
        leaders=_leaders(raw["leaders"]) if "leaders" in raw else defaults.leaders,
        hidden_factions=_switch(raw.get("hidden_factions", defaults.hidden_factions)),
    )


def _deck(raw: Any) -> Heroes:
    if not isinstance(raw, (list, tuple)) or len(raw) != HEROES:
        raise OptionError("deck", f"a list of {HEROES} heroes")
    for code in raw:
        if not isinstance(code, str) or code not in NUMBER:
            said = f"a strength from 0 to {MAX_STRENGTH}, got {str(code)[:20]!r}"
            raise OptionError("deck", f"heroes of R, G, B or K and {said}")
    return tuple(raw)


def _leaders(raw: Any) -> tuple[Leader, ...]:
    if not isinstance(raw, (list, tuple)) or len(raw) < 2:
        raise OptionError("leaders", "a list of at least two leaders")
    leaders = tuple(map(_leader, raw))
    if len({leader.factions for leader in leaders}) < len(leaders):
        raise OptionError("leaders", "no two leaders with the same factions")
    return leaders


def _leader(raw: Any) -> Leader:
    if not isinstance(raw, Mapping) or set(raw) != _LEADER_KEYS:
        raise OptionError("leaders", "objects with factions and value")
    factions, value = raw["factions"], raw["value"]
    wanted = isinstance(factions, (list, tuple)) and [f for f in FACTIONS if f in factions]
    if not wanted or list(factions) != wanted:
        raise OptionError("leaders", "factions: one to four of R, G, B, K in this order")
    if type(value) is not int or not 0 <= value <= MAX_STRENGTH:
        raise OptionError("leaders", f"value: a whole number from 0 to {MAX_STRENGTH}")
    return Leader("".join(factions), value)


def _switch(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise OptionError("hidden_factions", "true or false")
    return raw
