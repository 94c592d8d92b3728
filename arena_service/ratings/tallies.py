"""What standings count: the results of whole pairs, by version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from arena_service.formats.credit import Fared, fared
from arena_service.ratings.fit import LedgerRow


@dataclass
class Tally:
    """Credits of a version by pair, and how many of its matches were won, drawn and lost."""

    pairs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, pair: str, credit: float, how: Fared) -> None:
        """Count one match."""
        self.pairs[pair].append(credit)
        self.wins += how is Fared.WON
        self.draws += how is Fared.DRAWN
        self.losses += how is Fared.LOST


def tallied(rows: Iterable[LedgerRow]) -> dict[str, Tally]:
    """By version; of whole pairs alone."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for row in rows:
        best = max(row.credits)
        for version, credit in zip(row.seats, row.credits, strict=True):
            tallies[version].add(row.pair, credit, fared(credit == best, credit))
    return dict(tallies)
