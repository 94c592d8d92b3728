"""Every action there is: its id, its notation and what it does.

Effects of different cards that read alike are one action. What a card may do when is told in
`effects.py`; here is only what can be written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from engine_service.core.errors import RulesError
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.cards import CARDS, PLOT

MAX_SEATS = 4
NOWHERE = -1

Changes = tuple[tuple[int, int], ...]  # (region, change of its followers), by region, none zero


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card from the hand."""

    card: str


@dataclass(frozen=True, slots=True)
class Change:
    """The followers of regions change; what they gain or lose comes from or goes to the supply."""

    changes: Changes


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two region cards change places; a negotiation disc comes on one of them, or on none."""

    first: int
    second: int
    disc: int


@dataclass(frozen=True, slots=True)
class Spy:
    """Copy the top card of the seat's discards."""

    seat: int


@dataclass(frozen=True, slots=True)
class Summon:
    """Take a follower from a region to the own court."""

    region: int
    faction: str


Action = Pass | Play | Change | Exchange | Spy | Summon

NAMES: list[str] = []
ACTIONS: list[Action] = []  # by id, as NAMES
_IDS: dict[str, int] = {}


def parse(text: str) -> int:
    """The id of a notation; raises RulesError."""
    action = _IDS.get(text)
    if action is None:
        raise RulesError(f"no action reads {text[:80]!r}")
    return action


def _write(text: str, action: Action) -> int:
    """The id; a text that is there already keeps its own."""
    if text not in _IDS:
        _IDS[text] = len(NAMES)
        NAMES.append(text)
        ACTIONS.append(action)
    assert ACTIONS[_IDS[text]] == action
    return _IDS[text]


def _change(text: str, changes: Mapping[int, int]) -> int:
    kept = tuple((region, change) for region, change in sorted(changes.items()) if change)
    return _write(text, Change(kept))


def _spread(regions: tuple[int, ...]) -> int:
    placed = [(f, r) for f, r in zip(b.FACTIONS, regions, strict=True) if r != NOWHERE]
    changes = {region: b.gather(f for f, r in placed if r == region) for _, region in placed}
    return _change("place " + " ".join(f"{f} {b.REGIONS[r]}" for f, r in placed), changes)


def _swap(one: str, first: int, other: str, second: int) -> int:
    gain = b.AMOUNT[other] - b.AMOUNT[one]
    text = f"swap {one} {b.REGIONS[first]} {other} {b.REGIONS[second]}"
    return _change(text, {first: gain, second: -gain})


def _exchange(first: int, second: int, disc: int) -> int:
    text = f"exchange {b.REGIONS[first]} {b.REGIONS[second]}"
    text += f" disc {b.REGIONS[disc]}" if disc != NOWHERE else ""
    return _write(text, Exchange(first, second, disc))


_SINGLE, _DOUBLE = b.GROUPS[1], b.GROUPS[2]
_SOME = (*_SINGLE, *_DOUBLE)
_AT = tuple(enumerate(b.REGIONS))

PASS = _write("pass", Pass())
PLAY = {card: _write(f"play {card}", Play(card)) for card in CARDS if card != PLOT}
SPY = [_write(f"spy {seat}", Spy(seat)) for seat in range(MAX_SEATS)]
PLACE = {
    (group, at): _change(f"place {group} {name}", {at: b.AMOUNT[group]})
    for group in _SOME
    for at, name in _AT
}
SPREAD = {  # by the regions of S, W and E
    regions: _spread(regions)
    for regions in product((NOWHERE, *range(len(b.REGIONS))), repeat=3)
    if set(regions) != {NOWHERE}
}
EXCHANGE = {
    (first, second, disc): _exchange(first, second, disc)
    for first, second in b.PAIRS
    for disc in (first, second, NOWHERE)
}
SWAP = {
    (one, first, other, second): _swap(one, first, other, second)
    for one in _SINGLE
    for first, second in b.both_ways(b.PAIRS)
    for other in _SOME
} | {
    ("SS", first, other, second): _swap("SS", first, other, second)
    for first, second in b.both_ways(b.BORDERS)
    for other in _SOME
    if "S" not in other
}
MOVE = {
    (group, start, end): _change(
        f"move {group} {b.REGIONS[start]} {b.REGIONS[end]}",
        {start: -b.AMOUNT[group], end: b.AMOUNT[group]},
    )
    for group in _SOME
    for start, end in b.both_ways(b.BORDERS)
}
RETURN = {
    (gone, at): _change(f"return {gone} {name}", {at: -b.UNIT[gone]})
    for gone in _SINGLE
    for at, name in _AT
}
PLACE_RETURN = {
    (group, at, gone): _change(
        f"place {group} {name} return {gone}", {at: b.AMOUNT[group] - b.UNIT[gone]}
    )
    for group in ("S", "SS")
    for at, name in _AT
    for gone in _SINGLE
}
RETURN_PLACE = {
    (gone, at, group): _change(
        f"return {gone} {name} place {group}", {at: b.AMOUNT[group] - b.UNIT[gone]}
    )
    for gone in _SINGLE
    for at, name in _AT
    for group in _SOME
}
RETURN_TWICE_PLACE = {  # an E, then another
    (at, gone, put): _change(
        f"return E {name} return {gone} place {put}",
        {at: b.UNIT[put] - b.UNIT["E"] - b.UNIT[gone]},
    )
    for at, name in _AT
    for gone in _SINGLE
    for put in _SINGLE
}
SUMMON = {
    (region, faction): _write(f"summon {name} {faction}", Summon(region, faction))
    for region, name in _AT
    for faction in b.FACTIONS
}
