"""Who is surely stronger than whom, and what the seats are worth, from the results of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.ratings.fit import LedgerRow, strengths_of
from arena_service.ratings.pairs import Interval
from arena_service.ratings.seats import seat_credits
from arena_service.store.database import Database
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.tables import Event


@dataclass(frozen=True)
class Comparison:
    """`ahead`: how likely each version of an order is stronger than the next one, 0 to 1.

    None where one of the two has no whole pair. `seats`: the mean credit of each seat.
    """

    ahead: tuple[float | None, ...]
    seats: tuple[Interval, ...]


def compare(db: Database, scope: Scope, order: Sequence[str]) -> Comparison:
    """Fit the whole pairs of a scope, under the newest rules that it was played by."""
    rows = _newest(db, scope)
    strengths = strengths_of(rows)

    def lead(version: str, other: str) -> float | None:
        known = version in strengths.ratings and other in strengths.ratings
        return strengths.superiority(version, other) if known else None

    ahead = tuple(lead(*both) for both in pairwise(order))
    return Comparison(ahead, seat_credits(rows))


def worth_of_seats(db: Database, scope: Scope) -> tuple[Interval, ...]:
    """The mean credit of each seat over the same pairs, without a fit; empty before the first."""
    return seat_credits(_newest(db, scope))


def _newest(db: Database, scope: Scope) -> list[LedgerRow]:
    with db.read() as session:
        rules = session.scalar(select(func.max(col(Event.rules_version))).where(scope.holds()))
        return rated_rows(session, scope, rules or 0)
