"""The table of a competition: a row for every version, in the order of their strength."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from arena_service.ratings.fit import Rating
from arena_service.ratings.pairs import interval_of
from arena_service.ratings.tallies import Tally


@dataclass(frozen=True)
class Named:
    """A version and what people call it."""

    version_id: str
    owner: str
    bot: str
    version: int


@dataclass(frozen=True)
class StandingRow:
    """One version: matches won, drawn, lost in whole pairs; credit with its 95 % interval."""

    rank: int
    bot: str
    owner: str
    version: int
    version_id: str
    pairs: int
    wins: int
    draws: int
    losses: int
    credit: float
    credit_low: float
    credit_high: float
    rating: float | None
    error: float | None
    faults: int


def standing_row(named: Named, tally: Tally, rating: Rating | None, faults: int) -> StandingRow:
    """The row of a version, not ranked yet."""
    means = tally.means()
    credit = interval_of(means)
    return StandingRow(
        rank=0,
        bot=named.bot,
        owner=named.owner,
        version=named.version,
        version_id=named.version_id,
        pairs=means.total(),
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        credit=credit.mean,
        credit_low=credit.low,
        credit_high=credit.high,
        rating=None if rating is None else rating.value,
        error=None if rating is None else rating.error,
        faults=faults,
    )


def ranked(rows: Iterable[StandingRow]) -> tuple[StandingRow, ...]:
    """Best first: by rating, unrated ones behind, by credit, then by name; equals share a rank.

    Who has no whole pair is behind everybody who has.
    """

    def strength(row: StandingRow) -> tuple[bool, float, float]:
        # Rounded as shown: what looks equal is ranked equal.
        rating = float("-inf") if row.rating is None else round(row.rating, 1)
        return (not row.pairs, -rating, -round(row.credit, 4))

    ordered = sorted(rows, key=lambda row: (*strength(row), row.owner, row.bot, row.version))
    placed: list[StandingRow] = []
    for index, row in enumerate(ordered):
        same = index > 0 and strength(row) == strength(ordered[index - 1])
        placed.append(replace(row, rank=placed[-1].rank if same else index + 1))
    return tuple(placed)
