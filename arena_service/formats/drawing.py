"""What follows from the key of an event once its entries are closed: draws, seeds, seatings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena_service.formats.candidates import Candidate
from arena_service.formats.format import Draw, Group
from arena_service.formats.match_making import matched
from engine_service.core.seeds import Stream, bot_seed, deal_seed, draw_seed

PAIRS_OF_A_SERIES = 8


@dataclass(frozen=True)
class Origin:
    """What everything in an event is drawn from; `digest` is that of its entrants."""

    key: bytes
    event: str
    digest: str

    def draw(self, purpose: str) -> Draw:
        """The numbers of one purpose."""
        return Stream(draw_seed(self.key, self.event, self.digest, purpose), "draw")

    def deal_seed(self, pair: int) -> str:
        """Of all legs of a pair, in hex."""
        return deal_seed(self.key, self.event, self.digest, pair).hex()

    def bot_seeds(self, pair: int, leg: int, seats: int) -> tuple[str, ...]:
        """By seat, in hex."""
        return tuple(
            bot_seed(self.key, self.event, self.digest, pair, leg, seat) for seat in range(seats)
        )


def seated(group: Sequence[str], leg: int) -> Group:
    """By seat: the group, which is in the order of leg 0, moved on by one in every leg."""
    return tuple(group[(seat + leg) % len(group)] for seat in range(len(group)))


def in_order(met: Sequence[Group], pairs: int) -> Iterator[Group]:
    """The group of every pair of a round: a series of each in turn, until all have their pairs."""
    for first in range(0, pairs, PAIRS_OF_A_SERIES):
        for group in met:
            for number in range(first, min(first + PAIRS_OF_A_SERIES, pairs)):
                yield reseated(group, number)


def reseated(group: Sequence[str], number: int) -> Group:
    """The order of leg 0 in the pair of this number, from 0, among those of the group.

    Rotations keep partners together and everybody behind the same neighbour. So the orders that
    no rotation turns into each other take turns, the drawn one first: one of two seats, two of
    three, six of four, where every three pairs make everybody the partner of everybody.
    """
    first, *others = group
    turned = [others[at:] + others[:at] for at in range(len(others))]
    orders = list(dict.fromkeys(map(tuple, turned + [order[::-1] for order in turned])))
    return (first, *orders[number % len(orders)])


def of_slot(
    entered: Mapping[str, Candidate], seats: int, pairs: int, origin: Origin
) -> list[Group]:
    """Who meets in a slot of a ladder."""
    return matched(entered, seats, pairs, origin.draw("seats"))
