"""What is kept of a ladder when a slot is completed, so that no look at it counts all again.

It follows from the ledger, and the doctor proves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.fit import LedgerRow
from arena_service.ratings.tallies import Tally, tallied
from arena_service.store.ledger import Scope
from arena_service.store.states import EventState
from arena_service.store.tables import Annulment, Event, LadderTally, Match

LAST_SLOT = 2**31 - 1


@dataclass(frozen=True)
class Kept:
    """Tallies and faults by version, of all slots up to and including `slot`."""

    slot: int
    tallies: Mapping[str, Tally]
    faults: Mapping[str, int]

    def since(self, scope: Scope) -> Scope:
        """The slots of the ladder that are not in it."""
        return Scope(scope.ladder, slots=(self.slot + 1, LAST_SLOT))


def newest(session: Session, scope: Scope, rules: int) -> Kept | None:
    """Of a whole ladder under one version of the rules; None: all is to be counted.

    That is so before the first slot is completed, and when a result was annulled since.
    """
    if scope.ladder is None or scope.slots is not None:
        return None
    completed = (
        select(Event)
        .where(
            scope.holds(),
            col(Event.state) == EventState.COMPLETE,
            col(Event.rules_version) == rules,
        )
        .order_by(col(Event.slot).desc())
        .limit(1)
    )
    event = session.scalar(completed)
    if event is None or event.completed_at is None:
        return None
    if _was_annulled_since(session, scope, event.completed_at):
        return None
    rows = session.scalars(select(LadderTally).where(col(LadderTally.event) == event.id)).all()
    if not rows:
        return None
    return Kept(
        slot=event.slot or 0,
        tallies={row.bot_version: _tally(row) for row in rows},
        faults={row.bot_version: row.faults for row in rows if row.faults},
    )


def keep(
    session: Session, event: Event, rows: Sequence[LedgerRow], faults: Mapping[str, int]
) -> None:
    """With a slot that is completed: `rows` and `faults` are those of the whole ladder so far."""
    counted = tallied(rows)
    kept = [
        {
            "event": event.id,
            "bot_version": version,
            "means": [[mean, count] for mean, count in sorted(tally.means().items())],
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "faults": faults.get(version, 0),
        }
        for version, tally in ((each, counted.get(each, Tally())) for each in {*counted, *faults})
    ]
    if kept:
        session.execute(insert(LadderTally), kept)


def _tally(row: LadderTally) -> Tally:
    means = {mean: int(count) for mean, count in row.means}
    return Tally(wins=row.wins, draws=row.draws, losses=row.losses, before=means)


def _was_annulled_since(session: Session, scope: Scope, moment: datetime) -> bool:
    annulled = (
        select(col(Annulment.match))
        .join(Match, col(Match.id) == col(Annulment.match))
        .join(Event, col(Event.id) == col(Match.event))
        .where(scope.holds(), col(Annulment.created_at) > moment)
    )
    return session.scalar(annulled.limit(1)) is not None
