"""The course of a tournament: started, paused, resumed, extended, ended before its last match."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.scheduling.giving_up import give_up
from arena_service.scheduling.planning import close_entries
from arena_service.scheduling.rounds import close, locked, plan_next
from arena_service.scheduling.seeding import seed
from arena_service.store import bounds, requests, tournaments
from arena_service.store.accounts import lock_account
from arena_service.store.competitions import find
from arena_service.store.database import Database
from arena_service.store.entries import entrants
from arena_service.store.errors import ConflictError
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.rounds import newest_round
from arena_service.store.settings import settings_of
from arena_service.store.states import ENDED, EventState
from arena_service.store.tables import Event, Match, Tournament
from arena_service.store.tournaments import TournamentRow
from engine_service.logs import get_logger

log = get_logger("interrex.tournaments")

CANCELLED = "the tournament was cancelled"
ON_ITS_WAY = (EventState.RUNNING, EventState.PAUSED)


def start(db: Database, tournament: str, now: datetime) -> TournamentRow:
    """Close the entries and plan what its format plans first.

    Raises ConflictError when they are closed, or when its owner has started too much today.
    With too few entrants for one match it is complete at once.
    """
    with db.write() as session:
        row, event = find_locked(session, tournament)
        begin(session, row, event, now)
    return tournaments.show(db, row.id)


def begin(session: Session, row: Tournament, event: Event, now: datetime) -> None:
    """The same for a tournament that is locked, or not known to anybody yet."""
    if event.state != EventState.OPEN:
        raise ConflictError(f"{row.name} has started before: it is {event.state}")
    versions = entrants(session, row)
    bounds.check_size(row, len(versions))
    pairs = bounds.groups_of(row, len(versions)) * row.pairs
    bounds.check_day(session, row, pairs, now)
    if close_entries(session, event, row, versions, now) is None:
        raise ConflictError(f"{row.name} has started before")
    session.refresh(event)
    row.rounds = formats.find(row.format).rounds(len(versions), row.rounds)
    seed(session, event, row)
    session.flush()
    if not plan_next(session, event, row, row.pairs, now):
        _end(session, event, EventState.COMPLETE, now)


def pause(db: Database, tournament: str) -> TournamentRow:
    """Lease nothing of it any more; what is being played is played to its end.

    Raises ConflictError when it is not running.
    """
    return _switch(db, tournament, EventState.RUNNING, EventState.PAUSED)


def resume(db: Database, tournament: str) -> TournamentRow:
    """Go on where it was paused; raises ConflictError when it was not."""
    return _switch(db, tournament, EventState.PAUSED, EventState.RUNNING)


def extend(
    db: Database,
    tournament: str,
    now: datetime,
    pairs: int,
    rounds: int,
    asked: Asked = UNNAMED,
) -> TournamentRow:
    """Add `pairs` of every group that is left, or `rounds`: what its format can be extended by.

    Once, however often its owner has `asked` for it.
    Raises InvalidError for the other one, and ConflictError when it is not on its way, its last
    match is over, or it would be too large.
    """
    with db.write() as session:
        row, event = find_locked(session, tournament)
        lock_account(session, row.owner)
        if requests.made_before(session, row.owner, asked):
            return tournaments.of(session, row)
        last = newest_round(session, event.id)
        if event.state not in ON_ITS_WAY or last is None or last.closed_at is not None:
            state = "at its end" if event.state in ON_ITS_WAY else event.state
            raise ConflictError(f"{row.name} cannot be extended: it is {state}")
        bounds.check_extension(row, pairs, rounds)
        bounds.check_extended(session, row, event, pairs, rounds, now)
        if settings_of(row).sprt is not None:
            row.pairs += pairs  # its rule decides how many of them are played
        else:
            row.rounds += rounds or 1
        session.flush()
        if row.rounds > last.number and pairs:
            close(session, last, now)
            plan_next(session, event, row, pairs, now)
        requests.keep(session, row.owner, asked, row.id, now)
    log.info("tournament extended", tournament=row.name, pairs=pairs, rounds=rounds)
    return tournaments.show(db, row.id)


def cancel(db: Database, tournament: str, now: datetime) -> TournamentRow:
    """End it now: results stay, what is not played never will be, late posts are refused.

    Raises ConflictError when it has ended before.
    """
    with db.write() as session:
        row, event = find_locked(session, tournament)
        if event.state in ENDED:
            raise ConflictError(f"{row.name} has ended before: it is {event.state}")
        _end(session, event, EventState.CANCELLED, now)
        planned = select(col(Match.id)).where(col(Match.event) == event.id)
        give_up(session, planned, now, CANCELLED)
    log.info("tournament cancelled", tournament=row.name, event_id=event.id)
    return tournaments.show(db, row.id)


def _switch(db: Database, tournament: str, old: EventState, new: EventState) -> TournamentRow:
    with db.write() as session:
        row, event = find_locked(session, tournament)
        if event.state != old:
            raise ConflictError(f"{row.name} is not {old}: it is {event.state}")
        session.execute(update(Event).where(col(Event.id) == event.id).values(state=new))
    log.info(f"tournament {new}", tournament=row.name, event_id=event.id)
    return tournaments.show(db, row.id)


def find_locked(session: Session, tournament: str) -> tuple[Tournament, Event]:
    """A tournament and its event, locked against whatever else changes its course, or an entry."""
    row = find(session, Tournament, tournament)
    of_row = select(col(Event.id)).where(col(Event.tournament) == row.id)
    event = locked(session, session.scalars(of_row).one())
    session.refresh(row)
    return row, event


def _end(session: Session, event: Event, state: EventState, now: datetime) -> None:
    session.execute(
        update(Event).where(col(Event.id) == event.id).values(state=state, completed_at=now)
    )
