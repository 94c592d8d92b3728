"""The beginning of a tournament, and its end before the last match."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.scheduling import rounds
from arena_service.scheduling.planning import close_entries
from arena_service.store import tournaments
from arena_service.store.competitions import find
from arena_service.store.database import Database
from arena_service.store.entries import entrants
from arena_service.store.errors import ConflictError
from arena_service.store.states import (
    ENDED,
    UNPLAYED,
    AttemptOutcome,
    Cause,
    EventState,
    MatchState,
    SeriesState,
)
from arena_service.store.tables import Attempt, Event, Match, Series, Tournament
from arena_service.store.tournaments import TournamentRow
from engine_service.logs import get_logger

log = get_logger("interrex.tournaments")

CANCELLED = "the tournament was cancelled"


def start(db: Database, tournament: str, now: datetime) -> TournamentRow:
    """Close the entries and plan what its format plans first.

    Raises ConflictError when they are closed, or when its owner has started too much today.
    With too few entrants for one match it is complete at once.
    """
    with db.write() as session:
        row = find(session, Tournament, tournament)
        event = _event(session, row)
        if event.state != EventState.OPEN:
            raise ConflictError(f"{row.name} has started before: it is {event.state}")
        versions = entrants(session, row)
        tournaments.check_size(row, len(versions))
        tournaments.check_day(session, row, len(versions), now)
        if close_entries(session, event, row, versions, now) is None:
            raise ConflictError(f"{row.name} has started before")
        session.refresh(event)
        row.rounds = formats.find(row.format).rounds(len(versions), row.rounds)
        session.flush()
        if not rounds.plan_next(session, event, row, row.pairs, now):
            _end(session, event, EventState.COMPLETE, now)
    return tournaments.show(db, row.id)


def cancel(db: Database, tournament: str, now: datetime) -> TournamentRow:
    """End it now: results stay, what is not played never will be, late posts are refused.

    Raises ConflictError when it has ended before.
    """
    with db.write() as session:
        row = find(session, Tournament, tournament)
        event = _event(session, row)
        if event.state in ENDED:
            raise ConflictError(f"{row.name} has ended before: it is {event.state}")
        _end(session, event, EventState.CANCELLED, now)
        _give_up(session, event.id, now)
    log.info("tournament cancelled", tournament=row.name, event_id=event.id)
    return tournaments.show(db, row.id)


def _event(session: Session, row: Tournament) -> Event:
    """The event of a tournament, locked against another start, cancel or entry."""
    statement = select(Event).where(col(Event.tournament) == row.id)
    return session.scalars(statement.with_for_update(key_share=True)).one()


def _end(session: Session, event: Event, state: EventState, now: datetime) -> None:
    session.execute(
        update(Event).where(col(Event.id) == event.id).values(state=state, completed_at=now)
    )


def _give_up(session: Session, event: str, now: datetime) -> None:
    """Cancel what is not played, in the order in which workers lock: matches, series, attempts."""
    session.execute(
        update(Match)
        .where(col(Match.event) == event, col(Match.state) == MatchState.PLANNED)
        .values(state=MatchState.CANCELLED)
    )
    session.execute(
        update(Series)
        .where(col(Series.event) == event, col(Series.state).in_(UNPLAYED))
        .values(
            state=SeriesState.CANCELLED,
            fence=col(Series.fence) + 1,
            worker=None,
            lease_until=None,
            not_before=None,
        )
    )
    series = select(col(Series.id)).where(col(Series.event) == event)
    session.execute(
        update(Attempt)
        .where(col(Attempt.series).in_(series), col(Attempt.outcome) == AttemptOutcome.OPEN)
        .values(
            outcome=AttemptOutcome.FAILED,
            cause=Cause.OPERATOR,
            detail=CANCELLED,
            ended_at=now,
        )
    )
