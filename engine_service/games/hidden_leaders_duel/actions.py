"""Actions of Hidden Leaders: Duel as ids, and their notation.

First the takes: every pair of slots, then every single slot. Then, hero by hero in the order of
`CODES`, everything that names no later hero: to play it (Council, then slots), to return it alone
(by slot), to return it with an earlier hero, with its like and before an earlier hero (by pair).
So the ids of any number of first heroes are dense, those of the default deck above all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from engine_service.core.errors import RulesError
from engine_service.games.hidden_leaders_duel.heroes import CODES, NUMBER, SLOTS, UNKNOWN, UNSEEN

COUNCIL = -1  # where a hero is played that blocks none


class Take(NamedTuple):
    """Slots ascending."""

    slots: tuple[int, ...]


class Return(NamedTuple):
    """A hero for each slot, slots ascending."""

    heroes: tuple[str, ...]
    slots: tuple[int, ...]


class Play(NamedTuple):
    """`target` is the slot to block, or COUNCIL."""

    hero: str
    target: int


PAIRS = tuple(combinations(range(SLOTS), 2))
TAKES: tuple[tuple[int, ...], ...] = PAIRS + tuple((slot,) for slot in range(SLOTS))
TAKE_ID = {slots: action for action, slots in enumerate(TAKES)}

_PLAYS, _SINGLES = 1 + SLOTS, SLOTS
_PAIRED = _PLAYS + _SINGLES  # where the returns of two begin in the block of a hero
_FIRST = tuple(len(TAKES) + _PAIRED * n + len(PAIRS) * n * n for n in range(len(CODES) + 1))
COUNT = _FIRST[-1]


def return_id(heroes: tuple[str, ...], slots: tuple[int, ...]) -> int:
    """One hero for each slot."""
    return first_return(heroes) + return_offset(slots)


@cache
def first_return(heroes: tuple[str, ...]) -> int:
    """The id where the slots are the first there are."""
    if len(heroes) == 1:
        return _FIRST[NUMBER[heroes[0]]] + _PLAYS
    first, second = NUMBER[heroes[0]], NUMBER[heroes[1]]
    last, rank = (second, first) if first <= second else (first, first + 1 + second)
    return _FIRST[last] + _PAIRED + len(PAIRS) * rank


def return_offset(slots: tuple[int, ...]) -> int:
    """How much further the id is for these slots, whatever the heroes."""
    return slots[0] if len(slots) == 1 else TAKE_ID[slots]


def play_id(hero: str, target: int) -> int:
    """To the Council, or on a slot."""
    return _FIRST[NUMBER[hero]] + 1 + target


@lru_cache(maxsize=1 << 16)  # there are millions, few of them with one deck
def decode(action: int) -> Take | Return | Play:
    """What an id stands for; raises RulesError for one that the game does not have."""
    if not 0 <= action < COUNT:
        raise RulesError(f"hidden_leaders_duel has no action {action}")
    if action < len(TAKES):
        return Take(TAKES[action])
    number = bisect_right(_FIRST, action) - 1
    offset = action - _FIRST[number]
    if offset < _PLAYS:
        return Play(CODES[number], offset - 1)
    if offset < _PAIRED:
        return Return((CODES[number],), (offset - _PLAYS,))
    rank, pair = divmod(offset - _PAIRED, len(PAIRS))
    first, second = (rank, number) if rank <= number else (number, rank - number - 1)
    return Return((CODES[first], CODES[second]), PAIRS[pair])


def text(action: Take | Return | Play) -> str:
    """The notation."""
    if isinstance(action, Take):
        return f"take {' '.join(map(str, action.slots))}"
    if isinstance(action, Play):
        where = "council" if action.target == COUNCIL else f"block {action.target}"
        return f"play {action.hero} {where}"
    placed = zip(action.heroes, action.slots, strict=True)
    return f"return {' '.join(f'{hero}@{slot}' for hero, slot in placed)}"


def notation(action: int) -> str:
    """Raises RulesError for an id that the game does not have."""
    return text(decode(action))


def unseen_notation(action: int, hidden_factions: bool) -> str:
    """The notation for those who do not see the hero that is played."""
    done = decode(action)
    if isinstance(done, Play):
        secret = hidden_factions and done.target == COUNCIL
        done = done._replace(hero=UNKNOWN if secret else UNSEEN[done.hero])
    return text(done)


def parse(written: str) -> int:
    """The inverse of `notation`; raises RulesError."""
    for pattern, read in _READERS:
        if (found := pattern.fullmatch(written)) and (action := read(*found.groups())) is not None:
            return action
    raise RulesError(f"no action is written {written[:40]!r}")


def _read_take(slots: str) -> int | None:
    return TAKE_ID.get(tuple(map(int, slots.split())))


def _read_return(placed: str) -> int | None:
    heroes, slots = zip(*(one.split("@") for one in placed.split()), strict=True)
    numbers = tuple(map(int, slots))
    known = numbers in TAKE_ID and all(hero in NUMBER for hero in heroes)
    return return_id(heroes, numbers) if known else None


def _read_play(hero: str, slot: str | None) -> int | None:
    target = COUNCIL if slot is None else int(slot)
    return play_id(hero, target) if hero in NUMBER and target < SLOTS else None


_HERO, _SLOT = "[A-Z][0-9]{1,2}", "(?:0|[1-9][0-9]?)"
_READERS = (
    (re.compile(f"take ({_SLOT}(?: {_SLOT})?)"), _read_take),
    (re.compile(f"return ({_HERO}@{_SLOT}(?: {_HERO}@{_SLOT})?)"), _read_return),
    (re.compile(f"play ({_HERO}) (?:council|block ({_SLOT}))"), _read_play),
)
