"""The arena's clock: due slots are closed and planned, played events completed and rated."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats.drawing import of_slot
from arena_service.ratings.refit import complete_event
from arena_service.scheduling.clock import next_due
from arena_service.scheduling.planning import close_entries, plan
from arena_service.scheduling.rounds import advance
from arena_service.store import finals
from arena_service.store.candidates import record
from arena_service.store.database import UNAVAILABLE, Database, changed
from arena_service.store.entries import entrants
from arena_service.store.errors import StoreError
from arena_service.store.ladders import new_slot
from arena_service.store.progress import unplayed_series
from arena_service.store.states import EventState
from arena_service.store.tables import Event, Ladder
from engine_service.logs import get_logger

log = get_logger("interrex.slots")

AT_ONCE = 50


def tick(db: Database, now: datetime) -> None:
    """Complete what is played, then close what is due; safe to call from anywhere at any time.

    One event or ladder that fails holds up no other. Raises what is in UNAVAILABLE at once: a
    database that does not answer would fail them all, each after a long wait.
    """
    complete_played(db, now)
    _close_due(db, now)


def complete_played(db: Database, now: datetime) -> None:
    """Go on with every running event that has no series left, whichever of them fails.

    Its next round is planned; without one it is complete.
    """
    played = select(col(Event.id)).where(col(Event.state) == EventState.RUNNING, ~unplayed_series())
    with db.read() as session:
        found = list(session.scalars(played.order_by(col(Event.closed_at))))
    for event in found:
        try:
            advance(db, event, now) or complete_event(db, event, now)
        except UNAVAILABLE:
            raise
        except Exception:  # one event must not hold up the others
            log.exception("a played event cannot be completed", event_id=event)


def _close_due(db: Database, now: datetime) -> None:
    """Close at most AT_ONCE slots, the longest due first; those that cannot be do not count."""
    busy = (
        select(col(Event.id))
        .where(col(Event.ladder) == col(Ladder.id), col(Event.state) == EventState.RUNNING)
        .exists()
    )
    due = select(col(Ladder.id)).where(col(Ladder.next_due) <= now, ~busy, ~finals.is_on())
    with db.read() as session:
        found = list(session.scalars(due.order_by(col(Ladder.next_due), col(Ladder.created_at))))
    room = AT_ONCE
    for ladder in found:
        try:
            with db.write() as session:
                room -= _close_slot(session, ladder, now)
        except UNAVAILABLE:
            raise
        except StoreError as error:
            log.warning("a slot cannot be closed", ladder_id=ladder, error=str(error))
        except Exception:  # one ladder must not hold up the others
            log.exception("a slot cannot be closed", ladder_id=ladder)
        if room == 0:
            return


def _close_slot(session: Session, ladder_id: str, now: datetime) -> bool:
    """Close the entries of the open slot, plan it and create the next; False: nothing to do.

    A slot that is due while the one before is still played waits for it, and then runs once.
    """
    ladder = session.get_one(Ladder, ladder_id)
    if _is_running(session, ladder_id):
        return False
    due = ladder.next_due
    claim = (
        update(Ladder)
        .where(
            col(Ladder.id) == ladder_id,
            col(Ladder.next_due) == due,
            col(Ladder.next_due) <= now,
        )
        .values(next_due=next_due(ladder.cron, ladder.timezone, now))
    )
    if changed(session, claim) != 1:
        return False
    finals.check_none(session, ladder)
    versions = entrants(session, ladder)
    if len(versions) < ladder.seats:
        return False  # entries stay open until the next time
    event = session.scalars(
        select(Event).where(col(Event.ladder) == ladder_id, col(Event.state) == EventState.OPEN)
    ).one()
    closed = close_entries(session, event, ladder, versions, now)
    if closed is None:
        return False
    known = record(session, event, ladder_id, closed.rules_version)
    met = of_slot(known, ladder.seats, ladder.pairs_per_slot, closed.origin)
    plan(closed, ladder, met, ladder.pairs_per_slot, now).write(session)
    session.add(new_slot(ladder, (event.slot or 0) + 1))
    return True


def _is_running(session: Session, ladder: str) -> bool:
    running = select(col(Event.id)).where(
        col(Event.ladder) == ladder, col(Event.state) == EventState.RUNNING
    )
    return session.scalar(running.limit(1)) is not None
