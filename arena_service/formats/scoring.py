"""Points of encounters between two, and the tie-breaks between those who have as many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena_service.formats.format import Encounter, Field, Line, Round

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
BUCHHOLZ = "Buchholz"
SONNEBORN_BERGER = "Sonneborn-Berger"
CREDIT = "credit"


@dataclass(frozen=True)
class _Got:
    """What a round brought one entrant; `rival` is None where nothing was played over the board."""

    points: float
    rival: str | None
    credit: float
    matches: int


def points_of(encounter: Encounter, field: Field) -> dict[str, float]:
    """What each of the two gets: 1 for more credit than the other, a half for as much.

    Of a disqualified entrant nothing counts: who met it has the point of a bye. Who left before the
    encounter was played gives the point away. When no pair of it counts, both have nothing.
    """
    first, second = encounter.group
    for gone in (field.disqualified, frozenset() if encounter.whole else field.left):
        if not gone.isdisjoint(encounter.group):
            return {each: LOSS if each in gone else WIN for each in encounter.group}
    if encounter.pairs == 0:
        return {first: LOSS, second: LOSS}
    mine, other = encounter.credits
    taken = DRAW if mine == other else WIN if mine > other else LOSS
    return {first: taken, second: WIN - taken}


def points(field: Field, history: Sequence[Round]) -> dict[str, float]:
    """Of every entrant, a bye as a win."""
    return {entrant: sum(got.points for got in each) for entrant, each in _got(field, history)}


def table(field: Field, history: Sequence[Round]) -> list[Line]:
    """Best first, by points and tie-breaks; disqualified entrants last.

    Buchholz: the sum of the rivals' points. Sonneborn-Berger: the sum of the rivals' points, each
    times what was taken from that rival. A round without play over the board counts as one against
    a rival with the entrant's own points. Credit: the mean of all matches that count, 0 to 1.
    """
    got = dict(_got(field, history))
    total = {entrant: sum(each.points for each in rounds) for entrant, rounds in got.items()}
    keys = {entrant: _key(entrant, rounds, total) for entrant, rounds in got.items()}

    def place(entrant: str) -> tuple[bool, list[float]]:
        values = (total[entrant], *(value for _, value in keys[entrant]))
        return entrant in field.disqualified, [-round(value, 9) for value in values]

    lines: list[Line] = []
    before: tuple[bool, list[float]] | None = None
    for index, entrant in enumerate(sorted(field.entrants, key=lambda e: (*place(e), e))):
        rank = lines[-1].rank if place(entrant) == before else index + 1
        before = place(entrant)
        lines.append(Line(rank, entrant, total[entrant], keys[entrant]))
    return lines


def _key(
    entrant: str, rounds: Sequence[_Got], total: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    rivals = [total[entrant if got.rival is None else got.rival] for got in rounds]
    matches = sum(got.matches for got in rounds)
    return (
        (BUCHHOLZ, sum(rivals)),
        (SONNEBORN_BERGER, sum(p * got.points for p, got in zip(rivals, rounds, strict=True))),
        (CREDIT, sum(got.credit for got in rounds) / matches if matches else 0.0),
    )


def _got(field: Field, history: Sequence[Round]) -> Iterator[tuple[str, list[_Got]]]:
    """By entrant, round by round; nothing for rounds in which it was not paired any more."""
    found: dict[str, list[_Got]] = defaultdict(list)
    for each in history:
        for entrant in each.byes:
            found[entrant].append(_Got(WIN, None, 0.0, 0))
        for encounter in each.encounters:
            for entrant, got in _of_encounter(encounter, field):
                found[entrant].append(got)
    out = field.disqualified
    for entrant in field.entrants:
        yield entrant, [] if entrant in out else found[entrant]


def _of_encounter(encounter: Encounter, field: Field) -> Iterator[tuple[str, _Got]]:
    taken = points_of(encounter, field)
    void = not field.disqualified.isdisjoint(encounter.group)
    played = encounter.whole and not void
    matches = 0 if void else encounter.pairs * len(encounter.group)
    for place, entrant in enumerate(encounter.group):
        rival = encounter.group[1 - place] if played else None
        credit = 0.0 if void else encounter.credits[place]
        yield entrant, _Got(taken[entrant], rival, credit, matches)
