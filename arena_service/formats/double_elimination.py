"""Double elimination: who has lost twice is out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena_service.formats.bracket import Side, Slot, Source, bracket
from arena_service.formats.format import (
    Draws,
    Encounter,
    Extends,
    Field,
    Line,
    Pairing,
    Round,
    purpose,
)
from arena_service.formats.scoring import points_of

PLAY_OFFS = 2
STAGE = "stage"


@dataclass(frozen=True)
class Standing:
    """An encounter of the bracket as it stands.

    `players` are known from the seeding or from the encounters before, None: nobody came. `winner`
    and `loser` once it is `decided`; `rounds`: in which of the tournament's it was played.
    """

    slot: Slot
    players: tuple[str | None, str | None] | None
    decided: bool
    winner: str | None
    loser: str | None
    rounds: tuple[int, ...]


@dataclass
class _Course:
    """What is known of the bracket after some rounds; by index of the slot."""

    terms: Field
    slots: tuple[Slot, ...]
    ended: dict[int, tuple[str | None, str | None]] = field(default_factory=dict)
    rounds: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def players(self, index: int) -> tuple[str | None, str | None] | None:
        """Who meets there; None while that is not known."""
        first, other = self.slots[index].sources
        if not all(s.encounter is None or s.encounter in self.ended for s in (first, other)):
            return None
        return self._from(first), self._from(other)

    def walk_over(self, known: Field) -> None:
        """Decide every encounter to which one of the two does not come, or neither."""
        for index in range(len(self.slots)):  # in this order one follows from another
            players = None if index in self.ended else self.players(index)
            if players is not None:
                here = [each for each in players if each is not None and each not in known.left]
                if len(here) < 2 or self._is_needless(index):
                    winner, loser, *_ = (*here, None, None)
                    self.ended[index] = (winner, loser)

    def ready(self) -> Iterator[tuple[int, tuple[str, str]]]:
        """The encounters that can be played now."""
        for index in range(len(self.slots)):
            if index not in self.ended:
                match self.players(index):
                    case (str() as first, str() as other):
                        yield index, (first, other)

    def play(self, number: int, round: Round, known: Field) -> None:
        """Enter the results of a round."""
        for (index, players), encounter in zip(list(self.ready()), round.encounters, strict=True):
            self.rounds[index].append(number)
            self._decide(index, players, encounter, known)

    def _decide(
        self, index: int, players: tuple[str, str], encounter: Encounter, known: Field
    ) -> None:
        got = points_of(encounter, known)
        better, worse = sorted(players, key=lambda each: -got[each])
        if got[better] > got[worse]:
            gone = worse in known.left
            self.ended[index] = (better, None if gone else worse)
        elif known.left.issuperset(players):
            self.ended[index] = (None, None)
        elif len(self.rounds[index]) > PLAY_OFFS:
            higher, lower = sorted(players, key=self.terms.seeding.index)
            self.ended[index] = (higher, lower)

    def _is_needless(self, index: int) -> bool:
        """The second final, when the one who came unbeaten has won the first."""
        slot = self.slots[index]
        if slot.side is not Side.RESET:
            return False
        final = slot.sources[0].encounter or 0
        first = self.players(final)
        return first is not None and self.ended[final][0] == first[0]

    def _from(self, source: Source) -> str | None:
        if source.encounter is not None:
            return self.ended[source.encounter][0 if source.won else 1]
        place = source.seed or 0
        return self.terms.seeding[place] if place < len(self.terms.seeding) else None


class DoubleElimination:
    """Seeded; who loses goes on among the losers, whose last one meets the unbeaten in the final.

    If the unbeaten loses the final it is played once more. An encounter that is drawn is played
    again, at most PLAY_OFFS times, after which the better seeded goes on. Who left is passed by.
    """

    two_seats = True
    rated = True
    at_most: int | None = None
    extends = Extends.NOTHING

    def rounds(self, entrants: int, asked: int) -> int:
        """As many as it takes: nobody counts them before."""
        return 0

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """Everybody but the winner loses twice, the winner once."""
        return max(0, 2 * entrants - 1)

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """All encounters whose two are known, with drawn seats."""
        met = [list(players) for _, players in _course(field, history).ready()]
        if not met:
            return None
        draw = draws(purpose(history))
        for players in met:
            draw.shuffle(players)
        return Pairing(tuple(tuple(players) for players in met))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """By the stage of the bracket that was reached, encounters won as points."""
        return _table(field, standings(field, history))


def standings(field: Field, history: Sequence[Round]) -> list[Standing]:
    """The bracket, every encounter as it stands."""
    course = _course(field, history)
    return [
        Standing(
            slot,
            course.players(index),
            index in course.ended,
            *course.ended.get(index, (None, None)),
            tuple(course.rounds[index]),
        )
        for index, slot in enumerate(course.slots)
    ]


def _course(field: Field, history: Sequence[Round]) -> _Course:
    """Each round is judged by what was known when the one after it was planned."""
    course = _Course(field, bracket(len(field.seeding)))
    course.walk_over(field.after(0))
    for number, round in enumerate(history, 1):
        known = field.after(number)
        course.play(number, round, known)
        course.walk_over(known)
    return course


def _table(field: Field, bracket: Sequence[Standing]) -> list[Line]:
    top = max((each.slot.stage for each in bracket), default=0) + 1
    won = Counter(each.winner for each in bracket if each.rounds and each.winner)
    reached = dict.fromkeys(field.entrants, top)
    for each in bracket:
        for player in each.players or ():
            if player is not None and _is_out(player, each):
                reached[player] = each.slot.stage
    out = field.disqualified

    def key(entrant: str) -> tuple[bool, int]:
        return entrant in out, -reached[entrant]

    ordered = sorted(field.entrants, key=lambda entrant: (*key(entrant), entrant))
    lines: list[Line] = []
    for index, entrant in enumerate(ordered):
        same = index > 0 and key(entrant) == key(ordered[index - 1])
        stage = ((STAGE, float(reached[entrant])),)
        lines.append(Line(lines[-1].rank if same else index + 1, entrant, won[entrant], stage))
    return lines


def _is_out(player: str, each: Standing) -> bool:
    """Whether this encounter was the last of the player; a lost final is followed by the reset."""
    if not each.decided or player == each.winner:
        return False
    return each.loser is None or each.slot.side in (Side.LOSERS, Side.RESET)
