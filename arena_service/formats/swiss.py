"""Swiss: everybody plays every round, against the nearest in points that it has not met."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from arena_service.formats.format import Draws, Extends, Field, Line, Pairing, Round, purpose
from arena_service.formats.matching import Met, most_pairs, pair_off
from arena_service.formats.scoring import points, table


class Swiss:
    """In the order of points, drawn among equals, each is paired with the nearest not yet met.

    Who cannot be paired has a bye, the last of the order first and nobody twice before the others.
    It is over early when nobody has anybody left to meet.
    """

    two_seats = True
    rated = True
    at_most: int | None = None
    extends = Extends.ROUNDS

    def rounds(self, entrants: int, asked: int) -> int:
        """As many as tell one winner from all others, when none were asked for."""
        return asked or max(1, (entrants - 1).bit_length())

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """Half of the entrants meet the other half in every round."""
        return min(rounds * (entrants // 2), entrants * (entrants - 1) // 2)

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """Seats are drawn: all legs of a pair together give everybody every seat equally often."""
        if len(history) >= field.rounds:
            return None
        known, draw = field.after(len(history)), draws(purpose(history))
        order = known.remaining
        draw.shuffle(order)
        got = points(known, history)
        order.sort(key=lambda entrant: -got[entrant])
        met = _met(history)
        byes = _byes(order, met, history)
        pairs = pair_off([entrant for entrant in order if entrant not in byes], met)
        if not pairs:
            return None
        seated = [list(pair) for pair in pairs]
        for pair in seated:
            draw.shuffle(pair)
        return Pairing(tuple(tuple(pair) for pair in seated), tuple(byes))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """By points, then Buchholz, Sonneborn-Berger and credit."""
        return table(field, history)


def _met(history: Sequence[Round]) -> Met:
    met: dict[str, set[str]] = defaultdict(set)
    for each in history:
        for encounter in each.encounters:
            for entrant in encounter.group:
                met[entrant].update(other for other in encounter.group if other != entrant)
    return met


def _byes(order: Sequence[str], met: Met, history: Sequence[Round]) -> list[str]:
    """Who is left over: as few as possible, without a bye so far if possible, then the lowest."""
    had = Counter(entrant for each in history for entrant in each.byes)
    left, paired, byes = list(order), most_pairs(order, met), list[str]()
    lowest_first = [*reversed(order)]
    lowest_first.sort(key=lambda entrant: had[entrant])
    for entrant in lowest_first:
        without = [other for other in left if other != entrant]
        if len(left) > 2 * paired and most_pairs(without, met) == paired:
            left = without
            byes.append(entrant)
    return byes
