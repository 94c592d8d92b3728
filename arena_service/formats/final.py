"""The final run of a ladder: the field is cut in steps, until its ranks are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, comb
from statistics import fmean

from arena_service.formats.format import Draws, Extends, Field, Line, Pairing, Round, purpose
from arena_service.formats.round_robin import groups
from arena_service.ratings.ahead import surely_ahead

STEPS = 5
DOUBT = 0.05  # how often chance alone may tell somebody apart wrongly, in a whole run
STEP, BEST, WORST = "step", "best rank", "worst rank"


@dataclass(frozen=True)
class Place:
    """Where an entrant stood after the last `step` it played, among those who played it.

    `credit` is the mean of its matches with them, 0 to 1; its rank is surely `best` to `worst`.
    """

    step: int
    credit: float
    best: int
    worst: int


def fewest_pairs(playing: int, seats: int) -> int:
    """How many pairs a step takes at least, so that everybody plays."""
    return min(playing, comb(playing, seats))


class Final:
    """In every step those who are left meet in all groups, or evenly in as many as there are pairs.

    After it leaves who is surely not in the better half. It is over when the ranks of those who are
    left are told apart, when the steps are, or when the pairs do not suffice for all of them.
    """

    two_seats = False
    rated = True
    at_most: int | None = None
    extends = Extends.NOTHING

    def rounds(self, entrants: int, asked: int) -> int:
        """So many steps at most."""
        return asked or STEPS

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """One: the pairs of a final run are those of all its groups together."""
        return int(entrants >= seats)

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """Every step that is left has an equal share of the pairs that are left."""
        places, playing = standing(field, history)
        steps = field.rounds - len(history)
        if steps <= 0 or len(playing) < field.seats or _told_apart(places, playing):
            return None
        rest = field.pairs - sum(len(each.encounters) * each.pairs for each in history)
        fewest = fewest_pairs(len(playing), field.seats)
        if rest < fewest:
            return None
        share = max(fewest, rest // steps)
        met = groups(playing, field.seats, share, draws(purpose(history)))
        return Pairing(tuple(met), pairs=share // len(met))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """Who played longer is before who was cut, then who took more credit from that field."""
        places, _ = standing(field, history)
        nowhere = Place(0, 0.0, 1, len(field.entrants))
        placed = {entrant: places.get(entrant, nowhere) for entrant in field.entrants}

        def key(entrant: str) -> tuple[bool, int, float]:
            place = placed[entrant]
            return entrant in field.disqualified, -place.step, -place.credit

        lines: list[Line] = []
        before = None
        for index, entrant in enumerate(sorted(field.entrants, key=lambda each: (key(each), each))):
            rank = lines[-1].rank if key(entrant) == before else index + 1
            place, before = placed[entrant], key(entrant)
            told = (
                (STEP, float(place.step)),
                (BEST, float(place.best)),
                (WORST, float(place.worst)),
            )
            lines.append(Line(rank, entrant, place.credit, told))
        return lines


def standing(field: Field, history: Sequence[Round]) -> tuple[dict[str, Place], list[str]]:
    """The places so far, and who plays on; each cut follows from what was known at its time."""
    playing, places = field.after(0).remaining, dict[str, Place]()
    for step in range(1, len(history) + 1):
        left = field.after(step).left
        playing = [entrant for entrant in playing if entrant not in left]
        met = _met(playing, history[:step], field.seats)
        places |= _places(step, playing, met, DOUBT / field.rounds)
        kept = max(ceil(len(playing) / 2), field.seats)
        playing = [entrant for entrant in playing if places[entrant].best <= kept]
    return places, playing


def _told_apart(places: Mapping[str, Place], playing: Sequence[str]) -> bool:
    return all(
        entrant in places and places[entrant].best == places[entrant].worst for entrant in playing
    )


def _met(playing: Sequence[str], history: Iterable[Round], seats: int) -> list[dict[str, float]]:
    """Of every pair that they played with nobody else: the mean credit of each."""
    among = frozenset(playing)
    return [
        {entrant: taken / seats for entrant, taken in zip(encounter.group, share, strict=True)}
        for round in history
        for encounter in round.encounters
        if among.issuperset(encounter.group)
        for share in encounter.shares
    ]


def _places(
    step: int, playing: Sequence[str], met: Sequence[Mapping[str, float]], doubt: float
) -> dict[str, Place]:
    ahead = surely_ahead(playing, met, doubt)
    credits: dict[str, list[float]] = {entrant: [] for entrant in playing}
    for pair in met:
        for entrant, credit in pair.items():
            credits[entrant].append(credit)
    return {
        entrant: Place(
            step,
            round(fmean(taken), 9) if taken else 0.5,
            1 + sum(entrant in behind for behind in ahead.values()),
            len(playing) - len(ahead[entrant]),
        )
        for entrant, taken in credits.items()
    }
