"""The ratings of every complete event are those of a fit from nothing but the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.ratings.counted import Entry, counted
from arena_service.ratings.fit import FitError, LedgerRow, fit
from arena_service.store.competitions import is_rated
from arena_service.store.ledger import MAX_ROWS
from arena_service.store.states import EventState
from arena_service.store.tables import Annulment, Event, Ledger, Pair, Rating

CLOSE = 1e-6


def check_ratings(session: Session, proof: Proof) -> None:
    """Refit every complete event from the results that counted when it was completed.

    A challenge has no ratings.
    """
    order = (col(Event.ladder), col(Event.tournament), col(Event.rules_version), col(Event.slot))
    complete = select(Event).where(col(Event.state) == EventState.COMPLETE).order_by(*order)
    events = list(session.scalars(complete))
    reader = _Reader(session)
    for _, scope in groupby(events, lambda e: (e.ladder, e.tournament, e.rules_version)):
        entries: list[Entry] = []
        for event in scope:
            if is_rated(session, event):
                entries = [*entries, *reader.entries(event.id)][-MAX_ROWS:]
            proof.take(f"event {event.id}", _of_event(session, event, entries))


class _Reader:
    """Reads the ledger so that equal tuples are kept once: few differ among many rows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seats: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._credits: dict[tuple[float, ...], tuple[float, ...]] = {}

    def entries(self, event: str) -> Iterator[Entry]:
        """The ledger of one event, by pair."""
        statement = (
            select(  # type: ignore[call-overload]
                col(Pair.id),
                col(Pair.legs),
                Ledger.seats,
                Ledger.credits,
                Ledger.teams,
                Annulment.created_at,
            )
            .select_from(Ledger)
            .join(Pair, col(Ledger.pair) == col(Pair.id))
            .outerjoin(Annulment, col(Annulment.match) == col(Ledger.match))
            .where(col(Ledger.event) == event)
            .order_by(col(Pair.number))
            .execution_options(yield_per=1000)
        )
        for pair, legs, seats, credits, teams, annulled in self._session.execute(statement):
            row = LedgerRow(
                pair,
                self._shared_seats(seats),
                self._shared_credits(credits),
                teams and tuple(teams),
            )
            yield Entry(row, legs, annulled)

    def _shared_seats(self, seats: list[str]) -> tuple[str, ...]:
        return self._seats.setdefault(tuple(seats), tuple(seats))

    def _shared_credits(self, credits: list[float]) -> tuple[float, ...]:
        return self._credits.setdefault(tuple(credits), tuple(credits))


def _of_event(session: Session, event: Event, entries: list[Entry]) -> Iterator[str]:
    try:
        refitted = fit(counted(entries, event.completed_at))
    except FitError as error:
        yield f"its results allow no fit: {error}"
        return
    stored = session.scalars(select(Rating).where(col(Rating.event) == event.id)).all()
    known = {row.bot_version: row for row in stored}
    if known.keys() != refitted.keys():
        yield f"rates {len(known)} versions, its ledger {len(refitted)}"
        return
    for version, rating in refitted.items():
        off = max(
            abs(known[version].value - rating.value), abs(known[version].error - rating.error)
        )
        if off > CLOSE:
            yield f"the rating of version {version} is off by {off:.6g}"
