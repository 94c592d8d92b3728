"""The arena's clock: due slots are closed and planned, played ones completed and rated."""

from __future__ import annotations

import logging
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.refit import complete_event
from arena_service.scheduling.clock import next_due
from arena_service.scheduling.planning import plan_slot, write_entrants
from arena_service.store.database import Database, changed
from arena_service.store.errors import StoreError
from arena_service.store.ladders import entrants, new_slot
from arena_service.store.states import EventState
from arena_service.store.tables import Event, Ladder
from engine_service.catalogue import game, names
from engine_service.core.seeds import entrants_digest

log = logging.getLogger("interrex.slots")

AT_ONCE = 50


def tick(db: Database, now: datetime) -> None:
    """Complete what is played, then close what is due; safe to call from anywhere at any time."""
    with db.read() as session:
        running = list(
            session.scalars(select(col(Event.id)).where(col(Event.state) == EventState.RUNNING))
        )
    for event in running:
        complete_event(db, event, now)
    with db.read() as session:
        due = list(
            session.scalars(
                select(col(Ladder.id))
                .where(col(Ladder.next_due) <= now)
                .order_by(col(Ladder.next_due).desc())
                .limit(AT_ONCE)
            )
        )
    for ladder in due:
        try:
            with db.write() as session:
                _close_slot(session, ladder, now)
        except StoreError as error:  # one ladder must not hold up the others
            log.warning("ladder %s: its slot cannot be closed: %s", ladder, error)


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
    versions = entrants(session, ladder)
    if len(versions) < ladder.seats:
        return False  # entries stay open until the next time
    event = session.scalars(
        select(Event).where(col(Event.ladder) == ladder_id, col(Event.state) == EventState.OPEN)
    ).one()
    digest = entrants_digest([(each.bot, each.sha256) for each in versions])
    rules = _rules_version(ladder)
    closed = (
        update(Event)
        .where(col(Event.id) == event.id, col(Event.state) == EventState.OPEN)
        .values(
            state=EventState.RUNNING, entrants_digest=digest, rules_version=rules, closed_at=now
        )
    )
    if changed(session, closed) != 1:
        return False
    write_entrants(session, event, versions)
    plan_slot(ladder, event, digest, rules, [each.id for each in versions], now).write(session)
    session.add(new_slot(ladder, (event.slot or 0) + 1))
    return True


def _is_running(session: Session, ladder: str) -> bool:
    running = select(col(Event.id)).where(
        col(Event.ladder) == ladder, col(Event.state) == EventState.RUNNING
    )
    return session.scalar(running.limit(1)) is not None


def _rules_version(ladder: Ladder) -> int:
    """Of today's rules; of a game that is no longer installed the version the ladder began with."""
    return game(ladder.game).rules_version if ladder.game in names() else ladder.rules_version
