"""Britain: three factions, eight regions with their borders, and followers as numbers.

Followers are an int that counts each faction in eight bits of its own, so that amounts and changes
add and subtract. A group is one follower or two, written in the order S, W, E: `W`, `SE`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations, combinations_with_replacement

FACTIONS = "SWE"
UNIT = {faction: 1 << 8 * place for place, faction in enumerate(FACTIONS)}
REGIONS = (
    "moray",
    "strathclyde",
    "lancaster",
    "northumbria",
    "gwynedd",
    "warwick",
    "essex",
    "devon",
)
HOME = {"S": 0, "W": 4, "E": 6}
OPEN, UNSTABLE = "", "X"  # the disc of a region, beside that of a faction

_BORDERS = """
    moray-strathclyde strathclyde-lancaster strathclyde-northumbria lancaster-northumbria
    lancaster-gwynedd lancaster-warwick northumbria-warwick northumbria-essex gwynedd-warwick
    gwynedd-devon warwick-essex warwick-devon essex-devon
"""

Pair = tuple[int, int]


def alphabetical(regions: Iterable[int]) -> list[int]:
    """Regions as they are ordered in notation."""
    return sorted(regions, key=REGIONS.__getitem__)


def _borders() -> tuple[Pair, ...]:
    ends = ([REGIONS.index(name) for name in border.split("-")] for border in _BORDERS.split())
    return tuple((first, second) for first, second in map(alphabetical, ends))


def both_ways(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Each pair, and the same turned round."""
    return tuple(chain.from_iterable(((a, b), (b, a)) for a, b in pairs))


PAIRS: tuple[Pair, ...] = tuple(combinations(alphabetical(range(len(REGIONS))), 2))
BORDERS = _borders()
NEIGHBOURS = tuple(
    tuple(sorted(b for a, b in both_ways(BORDERS) if a == region)) for region in range(len(REGIONS))
)
GROUPS = {
    size: tuple("".join(group) for group in combinations_with_replacement(FACTIONS, size))
    for size in (1, 2)
}


def gather(letters: Iterable[str]) -> int:
    """The followers that letters name."""
    return sum(map(UNIT.__getitem__, letters))


AMOUNT = {group: gather(group) for group in chain(*GROUPS.values())}


def count(followers: int, faction: str) -> int:
    """How many are of the faction."""
    return followers // UNIT[faction] & 255


@cache
def counts(followers: int) -> tuple[int, ...]:
    """By faction."""
    return tuple(count(followers, faction) for faction in FACTIONS)


@cache
def groups(followers: int, size: int, factions: str = FACTIONS) -> tuple[str, ...]:
    """The groups of that size and those factions that can be taken from the followers."""
    return tuple(
        group
        for group in GROUPS[size]
        if all(
            faction in factions and group.count(faction) <= count(followers, faction)
            for faction in group
        )
    )


@cache
def most(followers: int) -> str:
    """The factions that none outnumbers: one, or several that are tied."""
    top = max(counts(followers))
    return "".join(faction for faction in FACTIONS if count(followers, faction) == top)
