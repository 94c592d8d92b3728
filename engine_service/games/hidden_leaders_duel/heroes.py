"""The heroes of Hidden Leaders: Duel as they are written, and the slots they lie in.

A hero is its code, such as "R5". Who may not see the strength has "R?", who may not even see the
faction "?". An empty text is no hero.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engine_service.core.errors import RulesError

FACTIONS = "RGBK"  # Imperial Army, Hill Tribes, Water Folk, Undead
MAX_STRENGTH = 99
DECK = tuple(f"{faction}{strength}" for faction in FACTIONS for strength in range(1, 8))

_OTHERS = tuple(
    code
    for faction in FACTIONS
    for strength in range(MAX_STRENGTH + 1)
    if (code := f"{faction}{strength}") not in DECK
)
CODES = DECK + _OTHERS  # those of the default deck first, so that they have the lowest ids
NUMBER = {code: number for number, code in enumerate(CODES)}
STRENGTH = {code: int(code[1:]) for code in CODES}

NO_HERO, UNKNOWN = "", "?"
UNSEEN = {code: f"{code[0]}?" for code in CODES}  # all that the back of a card shows
_SEEN = {code: number for number, code in enumerate((*CODES, *map("{}?".format, FACTIONS), "?"))}

SLOTS = 14
ROW_SLOTS = 7  # slots 0 to 6 are row 0, the others row 1


def ordered(heroes: Iterable[str]) -> tuple[str, ...]:
    """In canonical order, seen or not: the order tells nothing."""
    return tuple(sorted(heroes, key=_SEEN.__getitem__))


def hero(code: object) -> str:
    """Raises RulesError for anything but the code of a hero."""
    if not isinstance(code, str) or code not in NUMBER:
        raise RulesError(f"no hero is called {str(code)[:20]!r}")
    return code


def heroes(codes: object) -> tuple[str, ...]:
    """Raises RulesError for anything but a list of heroes."""
    if not isinstance(codes, (list, tuple)):
        raise RulesError("expected a list of heroes")
    return tuple(map(hero, codes))


def seen(code: object) -> str:
    """Raises RulesError for anything but a hero as some viewer sees it."""
    if not isinstance(code, str) or code not in _SEEN:
        raise RulesError(f"no hero looks like {str(code)[:20]!r}")
    return code


@cache
def may_be(one: str, other: str) -> bool:
    """Whether two looks can be of the same hero."""
    vague, clear = sorted((one, other), key=vagueness, reverse=True)
    return vague in (clear, back(clear), UNKNOWN)


def vagueness(look: str) -> int:
    """0 for a hero that is seen, 1 where its faction is, 2 where nothing is."""
    return 0 if look in NUMBER else 1 + (look == UNKNOWN)


def back(look: str) -> str:
    """The faction of a hero, seen or not, without its strength."""
    return f"{look[0]}?"
