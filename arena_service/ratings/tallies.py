"""What standings count: the results of whole pairs, by version."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena_service.formats.credit import Fared, fared
from arena_service.ratings.fit import LedgerRow


@dataclass
class Tally:
    """Credits of a version by pair, and how many of its matches were won, drawn and lost.

    `before` are mean credits of pairs that were counted earlier, with how many pairs had each; the
    matches of these pairs are among `wins` to `losses` too.
    """

    pairs: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wins: int = 0
    draws: int = 0
    losses: int = 0
    before: Mapping[float, int] = field(default_factory=dict)

    def means(self) -> Counter[float]:
        """How many pairs have each mean credit."""
        found = Counter(sum(credits) / len(credits) for credits in self.pairs.values())
        found.update(self.before)
        return found

    def add(self, pair: str, credit: float, how: Fared) -> None:
        """Count one match."""
        self.pairs[pair].append(credit)
        self.wins += how is Fared.WON
        self.draws += how is Fared.DRAWN
        self.losses += how is Fared.LOST


NOTHING: Mapping[str, Tally] = {}


def tallied(rows: Iterable[LedgerRow], earlier: Mapping[str, Tally] = NOTHING) -> dict[str, Tally]:
    """By version; of whole pairs alone. Those of `earlier` go on, with pairs that are all new."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for version, tally in earlier.items():
        tallies[version] = Tally(
            wins=tally.wins, draws=tally.draws, losses=tally.losses, before=tally.means()
        )
    for row in rows:
        best = max(row.credits)
        for version, credit in zip(row.seats, row.credits, strict=True):
            tallies[version].add(row.pair, credit, fared(credit == best, credit))
    return dict(tallies)
