"""Reading the ledger: only pairs that are whole count."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.counted import whole
from arena_service.ratings.fit import LedgerRow
from arena_service.store.tables import Annulment, Event, Ledger, Pair

MAX_ROWS = 200_000


@dataclass(frozen=True)
class Scope:
    """The events whose results count together: all slots of a ladder, or one tournament's.

    `slots` are the first and the last of a ladder that count; None: all.
    """

    ladder: str | None = None
    tournament: str | None = None
    slots: tuple[int, int] | None = None

    @classmethod
    def of(cls, event: Event) -> Scope:
        """The scope that an event belongs to."""
        return cls(event.ladder, event.tournament)

    def holds(self) -> ColumnElement[bool]:
        """The condition that a row of the table of events is in this scope."""
        if self.ladder is None:
            return col(Event.tournament) == self.tournament
        mine = col(Event.ladder) == self.ladder
        return mine if self.slots is None else mine & col(Event.slot).between(*self.slots)


def rated_rows(session: Session, scope: Scope, rules_version: int) -> list[LedgerRow]:
    """The results of a scope under one version of the rules, of the newest pairs at most MAX_ROWS.

    A pair with a leg missing, without contest or annulled is left out whole.
    """
    statement = (
        select(col(Pair.id), col(Pair.legs), Ledger.seats, Ledger.credits, Ledger.teams)  # type: ignore[call-overload]
        .select_from(Ledger)
        .join(Pair, col(Ledger.pair) == col(Pair.id))
        .join(Event, col(Ledger.event) == col(Event.id))
        .where(
            scope.holds(),
            col(Event.rules_version) == rules_version,
            col(Ledger.match).not_in(select(col(Annulment.match))),
        )
        .order_by(col(Event.slot).desc(), col(Pair.number).desc())
        .limit(MAX_ROWS)
    )
    legs: dict[str, int] = {}
    pairs: dict[str, list[LedgerRow]] = defaultdict(list)
    for pair, count, seats, credits, teams in session.execute(statement):
        legs[pair] = count
        pairs[pair].append(LedgerRow(pair, tuple(seats), tuple(credits), teams and tuple(teams)))
    return whole(pairs, legs)
