"""What each card can do: its ways to be carried out, the fullest first.

A card is carried out in the first of its ways that is possible anywhere on the board, and in no
other. A closed region holds no follower, so only where followers arrive it must be ruled out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, product

from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.state import Table

Way = Callable[[Table], Iterable[int]]  # the ids of all executions that are possible now
Regions = Callable[[Table], Iterable[int]]
Supply = Callable[[int], Iterable[str]]  # the groups that may be taken from a supply

_ANY_TWO = b.both_ways(b.PAIRS)
_BORDERING = b.both_ways(b.BORDERS)


def effects(table: Table) -> list[int]:
    """How the seat can carry out the table's card, ascending; none when it can have no effect."""
    for way in WAYS[table.card]:
        if found := [action for action in way(table) if not _undoes(table, action)]:
            return sorted(found)
    return []


def has_effect(table: Table) -> bool:
    """Whether there are any."""
    return any(not _undoes(table, action) for way in WAYS[table.card] for action in way(table))


def _undoes(table: Table, action: int) -> bool:
    """Whether this is the exact reverse of another seat's swap with the same card."""
    swap = table.swap
    if swap is None or swap.card != table.card or swap.seat == table.seat:
        return False
    meaning = a.ACTIONS[action]
    return isinstance(meaning, a.Change) and meaning.changes == _reverse(swap.changes)


@cache
def _reverse(changes: a.Changes) -> a.Changes:
    return tuple((region, -change) for region, change in changes)


def anywhere(table: Table) -> list[int]:
    """The open regions."""
    return [region for region, disc in enumerate(table.discs) if disc == b.OPEN]


def near(faction: str) -> Regions:
    """Open regions that border one controlled by the faction, or its home while that is open."""
    home = b.HOME[faction]

    @cache
    def regions(discs: tuple[str, ...]) -> list[int]:
        bases = [r for r, disc in enumerate(discs) if disc == faction]
        bases += [home] if discs[home] == b.OPEN else []
        bordering = {region for base in bases for region in b.NEIGHBOURS[base]}
        return sorted(region for region in bordering if discs[region] == b.OPEN)

    return lambda table: regions(table.discs)


def of(factions: str, size: int) -> Supply:
    """Any followers of these factions."""
    return lambda supply: b.groups(supply, size, factions)


def of_the_most(size: int) -> Supply:
    """Followers of one faction that none outnumbers in the supply."""
    return lambda supply: chain(*(b.groups(supply, size, faction) for faction in b.most(supply)))


def place(supply: Supply, where: Regions) -> Way:
    """A group from the supply into one region."""

    def way(table: Table) -> Iterator[int]:
        for group, region in product(supply(table.supply), where(table)):
            yield a.PLACE[group, region]

    return way


def spread(table: Table) -> Iterable[int]:
    """One follower of each faction from the supply, each into any region."""
    present = [faction != 0 for faction in b.counts(table.supply)]
    return _spread(tuple(present), tuple(anywhere(table)))


@cache
def _spread(present: tuple[bool, ...], regions: tuple[int, ...]) -> list[int]:
    if not any(present):
        return []
    places = [regions if faction else (a.NOWHERE,) for faction in present]
    return [a.SPREAD[first, second, third] for first, second, third in product(*places)]


def exchange(table: Table) -> Iterator[int]:
    """Two face-up region cards without a disc; then the own disc, if there is one, on either."""
    cards = [region for region in table.row[table.resolved :] if table.negotiated[region] < 0]
    has_disc = table.seat not in table.negotiated
    for first, second in combinations(b.alphabetical(cards), 2):
        for disc in (first, second) if has_disc else (a.NOWHERE,):
            yield a.EXCHANGE[first, second, disc]


def swap(
    size: int,
    other_size: int,
    pairs: tuple[b.Pair, ...],
    of: str = b.FACTIONS,
    against: str = b.FACTIONS,
) -> Way:
    """A group of `of` in the first region of a pair against one of `against` in the second."""

    def way(table: Table) -> Iterator[int]:
        for first, second in pairs:
            ours = b.groups(table.regions[first], size, of)
            theirs = b.groups(table.regions[second], other_size, against)
            for one, other in product(ours, theirs):
                yield a.SWAP[one, first, other, second]

    return way


def move(size: int) -> Way:
    """A group from one region to one that borders it."""

    def way(table: Table) -> Iterator[int]:
        for start, end in _BORDERING:
            if table.discs[end] == b.OPEN:
                for group in b.groups(table.regions[start], size):
                    yield a.MOVE[group, start, end]

    return way


def place_and_return(group: str) -> Way:
    """A group from the supply into one region, then any follower from there."""

    def way(table: Table) -> Iterator[int]:
        if b.groups(table.supply, len(group), group[0]):
            for region in anywhere(table):
                for gone in b.groups(table.regions[region] + b.AMOUNT[group], 1):
                    yield a.PLACE_RETURN[group, region, gone]

    return way


def give_back(table: Table) -> Iterator[int]:
    """Any follower to the supply."""
    for region in anywhere(table):
        for gone in b.groups(table.regions[region], 1):
            yield a.RETURN[gone, region]


def return_and_place(factions: str, size: int, where: Regions) -> Way:
    """A follower of these factions to the supply, then a group from there into the same region."""

    def way(table: Table) -> Iterator[int]:
        for region in where(table):
            for gone in b.groups(table.regions[region], 1, factions):
                for group in b.groups(table.supply + b.UNIT[gone], size):
                    yield a.RETURN_PLACE[gone, region, group]

    return way


def return_e_and_another_and_place(table: Table) -> Iterator[int]:
    """An E to the supply, then any other of its region, then one from the supply into it."""
    for region in near("E")(table):
        if b.count(table.regions[region], "E"):
            for gone in b.groups(table.regions[region] - b.UNIT["E"], 1):
                for put in b.groups(table.supply + b.UNIT["E"] + b.UNIT[gone], 1):
                    yield a.RETURN_TWICE_PLACE[region, gone, put]


def either(one: Way, other: Way) -> Way:
    """Two ways that are equally full."""
    return lambda table: chain(one(table), other(table))


def spy(table: Table) -> Iterator[int]:
    """The top card of any other seat's discards."""
    for seat in range(table.seats):
        if seat != table.seat and table.discards[seat]:
            yield a.SPY[seat]


def support(faction: str) -> tuple[Way, ...]:
    """Two of the faction, else one."""
    return tuple(place(of(faction, size), near(faction)) for size in (2, 1))


def replace_one_by_two(faction: str) -> tuple[Way, ...]:
    """Return one of the faction and place two, in part if it must be."""
    where = near(faction)
    return (
        return_and_place(faction, 2, where),
        return_and_place(faction, 1, where),
        place(of(b.FACTIONS, 2), where),
        place(of(b.FACTIONS, 1), where),
    )


WAYS: dict[str, tuple[Way, ...]] = {
    "support-s": support("S"),
    "support-w": support("W"),
    "support-e": support("E"),
    "assemble": (spread,),
    "negotiate": (exchange,),
    "manoeuvre": (swap(1, 1, b.PAIRS),),
    "outmanoeuvre": (swap(1, 2, _BORDERING), swap(1, 1, b.BORDERS)),
    c.SPY: (spy,),
    "ambush": (place_and_return("SS"), place_and_return("S"), give_back),
    "march": (move(2), move(1)),
    "aid": (place(of_the_most(2), anywhere), place(of_the_most(1), anywhere)),
    "influence": (swap(1, 2, _ANY_TWO, "E", "SW"), swap(1, 1, _ANY_TWO, "E", "SW")),
    "dispute": (swap(1, 1, _ANY_TWO, "W", "SE"),),
    "edict": (
        swap(2, 2, _BORDERING, "S", "WE"),
        either(swap(2, 1, _BORDERING, "S", "WE"), swap(1, 2, _BORDERING, "S", "WE")),
        swap(1, 1, _BORDERING, "S", "WE"),
    ),
    "resist": (place(of("WE", 2), near("S")), place(of("WE", 1), near("S"))),
    "quell": replace_one_by_two("W"),
    "muster": replace_one_by_two("S"),
    "suppress": (
        return_e_and_another_and_place,
        return_and_place("E", 1, near("E")),
        return_and_place(b.FACTIONS, 1, near("E")),
        place(of(b.FACTIONS, 1), near("E")),
    ),
}
