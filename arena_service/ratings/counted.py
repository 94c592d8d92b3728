"""Which results count: those of pairs that are whole, at a moment of their history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from arena_service.ratings.fit import LedgerRow


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the ledger, the legs of its pair, and when it was annulled if it was."""

    row: LedgerRow
    legs: int
    annulled: datetime | None


def counted(entries: Iterable[Entry], at: datetime | None) -> list[LedgerRow]:
    """The rows that counted then: of their pair no leg missing, none annulled by that time.

    Without a time, what was ever annulled counts.
    """
    legs: dict[str, int] = {}
    pairs: dict[str, list[LedgerRow]] = defaultdict(list)
    for entry in entries:
        if entry.annulled is not None and at is not None and entry.annulled <= at:
            continue
        legs[entry.row.pair] = entry.legs
        pairs[entry.row.pair].append(entry.row)
    return whole(pairs, legs)


def whole(pairs: Mapping[str, list[LedgerRow]], legs: Mapping[str, int]) -> list[LedgerRow]:
    """The rows of the pairs that have as many as they have legs."""
    return [row for pair, rows in pairs.items() if len(rows) == legs[pair] for row in rows]
