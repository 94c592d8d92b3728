"""How far an event is, and how long it will take at the pace so far."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.standings import pairs_of
from arena_service.store.states import UNPLAYED, EventState, MatchState, SeriesState, now_utc
from arena_service.store.tables import Event, Match, Series


@dataclass(frozen=True)
class EventProgress:
    """Counts of an event; `eta_seconds` is None while nothing tells the pace.

    `pairs_planned` are without the `pairs_cancelled`, `matches_planned` with what was cancelled.

    A series is played one match after the other: of each that is being played one match runs.
    """

    state: str
    pairs_planned: int
    pairs_done: int
    matches_planned: int
    matches_done: int
    matches_running: int
    pairs_cancelled: int
    eta_seconds: float | None


def unplayed_series() -> ColumnElement[bool]:
    """The condition that an event has a series left to play."""
    left = select(col(Series.id)).where(
        col(Series.event) == col(Event.id), col(Series.state).in_(UNPLAYED)
    )
    return left.exists()


def event_progress(db: Database, event_id: str, now: datetime | None = None) -> EventProgress:
    """The progress of an event; raises NotFoundError."""
    with db.read() as session:
        event = session.get(Event, event_id)
        if event is None:
            raise NotFoundError("event", event_id)
        states = _matches_by_state(session, event_id)
        planned, done = sum(states.values()), states.get(MatchState.FINISHED, 0)
        pairs = pairs_of(session, event_id)
        return EventProgress(
            state=event.state,
            pairs_planned=pairs.planned,
            pairs_done=pairs.done,
            pairs_cancelled=pairs.cancelled,
            matches_planned=planned,
            matches_done=done,
            matches_running=_running(session, event_id),
            eta_seconds=_eta(event, states, now or now_utc()),
        )


def _matches_by_state(session: Session, event: str) -> dict[str, int]:
    counted = select(col(Match.state), func.count()).where(col(Match.event) == event)
    return dict(session.execute(counted.group_by(col(Match.state))).all())


def _running(session: Session, event: str) -> int:
    """Series that a worker holds and that have a match without a result."""
    statement = (
        select(func.count(func.distinct(col(Series.id))))
        .select_from(Match)
        .join(Series, col(Match.series) == col(Series.id))
        .where(
            col(Series.event) == event,
            col(Series.state) == SeriesState.LEASED,
            col(Match.state) == MatchState.PLANNED,
        )
    )
    return session.scalar(statement) or 0


def _eta(event: Event, states: dict[str, int], now: datetime) -> float | None:
    """Of what is planned so far: how many matches later rounds have is not known."""
    left, done = states.get(MatchState.PLANNED, 0), states.get(MatchState.FINISHED, 0)
    if event.state != EventState.RUNNING or event.closed_at is None or done == 0:
        return None
    elapsed = (now - event.closed_at).total_seconds()
    return elapsed * left / done if elapsed > 0 else None
