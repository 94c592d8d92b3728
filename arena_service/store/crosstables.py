"""Who did how well against whom, counted over whole pairs of the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.ratings.fit import LedgerRow, score
from arena_service.store.database import Database
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.tables import Event


@dataclass(frozen=True)
class Meeting:
    """What one version took from another: pairs they both sat in, and the mean share, 0 to 1."""

    pairs: int
    share: float


Crosstable = dict[tuple[str, str], Meeting]


def crosstable(db: Database, scope: Scope) -> Crosstable:
    """By (version, other version): both orders are there, for those that met.

    Results count under the newest rules that the scope was played by.
    """
    with db.read() as session:
        rules = session.scalar(select(func.max(col(Event.rules_version))).where(scope.holds()))
        rows = rated_rows(session, scope, rules or 0)
    return _meetings(rows)


def _meetings(rows: Iterable[LedgerRow]) -> Crosstable:
    shares: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for a, b in row.meetings():
            # With more than two seats, credit is shared: who is ahead of whom tells more.
            share = score(row.credits[a], row.credits[b])
            shares[row.seats[a], row.seats[b]][row.pair].append(share)
            shares[row.seats[b], row.seats[a]][row.pair].append(1.0 - share)
    return {key: _meeting(pairs) for key, pairs in shares.items()}


def _meeting(pairs: dict[str, list[float]]) -> Meeting:
    means = [sum(legs) / len(legs) for legs in pairs.values()]
    return Meeting(len(means), sum(means) / len(means))
