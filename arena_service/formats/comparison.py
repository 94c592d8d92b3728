"""A test: is one version stronger than another?"""

from __future__ import annotations

from collections.abc import Sequence

from arena_service.formats.format import Draws, Extends, Field, Line, Pairing, Round
from arena_service.ratings.sprt import Look, Sprt, Verdict

BATCH = 16  # pairs between two looks: two series, so that two workers are busy


class Comparison:
    """The first of the seeding against the second: all pairs, or until a stopping rule is content.

    With a rule, BATCH pairs are planned at a time and looked at in their order once all are played;
    fewer where no more were allowed then.
    """

    two_seats = True
    rated = True
    at_most: int | None = 2
    extends = Extends.PAIRS

    def rounds(self, entrants: int, asked: int) -> int:
        """One, of as many pairs as are wished for, when there is no rule to stop."""
        return 1

    def size(self, entrants: int, seats: int, rounds: int, challengers: int = 0) -> int:
        """One group."""
        return rounds if entrants == 2 else 0

    def next_round(self, field: Field, history: Sequence[Round], draws: Draws) -> Pairing | None:
        """Nothing is drawn: each pair is played with both seatings."""
        left = field.after(len(history)).left
        if len(field.seeding) != 2 or not left.isdisjoint(field.seeding):
            return None
        group = (field.seeding[0], field.seeding[1])
        if field.sprt is None:
            return Pairing((group,)) if len(history) < field.rounds else None
        rest = field.pairs - sum(each.pairs for each in history)
        if rest <= 0 or look(field.sprt, history).verdict is not Verdict.OPEN:
            return None
        return Pairing((group,), pairs=min(BATCH, rest))

    def table(self, field: Field, history: Sequence[Round]) -> list[Line]:
        """None of its own: strength tells."""
        return []


def look(rule: Sprt, history: Sequence[Round]) -> Look:
    """The test after all pairs that count; a pair without contest tells nothing and is left out."""
    return rule.look(
        taken for round in history for encounter in round.encounters for taken in encounter.taken
    )
