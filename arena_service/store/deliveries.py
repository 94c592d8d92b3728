"""What the webhooks of tournaments are told: kept until it has arrived, or was tried too often."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.table import StandingRow
from arena_service.store.database import Database, changed
from arena_service.store.standings import tournament_standings
from arena_service.store.states import ENDED, DeliveryState, new_id
from arena_service.store.tables import Delivery, Event, Tournament

# After each attempt that failed; the one after the last pause is the last.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21_600, 43_200))
MAX_ERROR = 500
FORMAT = "webhook/1"


@dataclass(frozen=True)
class Claimed:
    """A delivery that is tried now; `secret` signs its `body`."""

    id: str
    url: str
    secret: str
    body: str
    attempt: int


@dataclass(frozen=True)
class DeliveryRow:
    """How far a webhook has been told; `due_at` is the next attempt while it waits."""

    url: str
    state: str
    attempts: int
    error: str
    due_at: datetime


def announce(db: Database, now: datetime, dashboard: str) -> int:
    """Keep what is to be told of every tournament that has ended; returns of how many it was new.

    Links lead to the `dashboard`.
    """
    with db.read() as session:
        ended = session.execute(_unannounced()).all()
    return sum(_announce(db, tournament, event, now, dashboard) for tournament, event in ended)


def is_due(db: Database, now: datetime) -> bool:
    """Whether there is something to try."""
    with db.read() as session:
        return session.execute(_due(now)).first() is not None


def claim(db: Database, now: datetime) -> Claimed | None:
    """Take the delivery that is due longest; None: there is none.

    The attempt is counted before it is made: when its maker dies, another follows after the pause.
    """
    with db.read() as session:
        found = session.execute(_due(now)).first()
    if found is None:
        return None
    delivery, tournament = found
    pause = PAUSES[min(delivery.attempts, len(PAUSES) - 1)]
    taken = (
        update(Delivery)
        .where(col(Delivery.id) == delivery.id, col(Delivery.attempts) == delivery.attempts)
        .values(attempts=delivery.attempts + 1, due_at=now + pause)
    )
    with db.write() as session:
        if changed(session, taken) != 1:
            return None  # somebody else was quicker
    url, secret = tournament.webhook_url, tournament.webhook_secret
    return Claimed(delivery.id, url, secret, delivery.body, delivery.attempts + 1)


def settle(db: Database, claimed: Claimed, error: str, now: datetime) -> DeliveryState:
    """Write down how the attempt went; an empty `error`: it has arrived."""
    state = DeliveryState.WAITING if error else DeliveryState.DELIVERED
    if error and claimed.attempt > len(PAUSES):
        state = DeliveryState.FAILED
    statement = (
        update(Delivery)
        .where(col(Delivery.id) == claimed.id, col(Delivery.state) == DeliveryState.WAITING)
        .values(state=state, error=error[:MAX_ERROR], delivered_at=None if error else now)
    )
    with db.write() as session:
        session.execute(statement)
    return state


def of_tournament(db: Database, tournament: str) -> DeliveryRow | None:
    """Of a tournament by id; None: it has no webhook, or has not ended."""
    found = (
        select(Delivery, col(Tournament.webhook_url))
        .join(Event, col(Delivery.event) == col(Event.id))
        .join(Tournament, col(Event.tournament) == col(Tournament.id))
        .where(col(Tournament.id) == tournament)
    )
    with db.read() as session:
        row = session.execute(found).first()
    if row is None:
        return None
    delivery, url = row
    return DeliveryRow(url, delivery.state, delivery.attempts, delivery.error, delivery.due_at)


def secret_of(db: Database, tournament: str) -> str:
    """What signs the deliveries of a tournament (by id); empty: it has no webhook."""
    with db.read() as session:
        return session.get_one(Tournament, tournament).webhook_secret


def _due(now: datetime) -> Select[Delivery, Tournament]:
    return (
        select(Delivery, Tournament)
        .join(Event, col(Delivery.event) == col(Event.id))
        .join(Tournament, col(Event.tournament) == col(Tournament.id))
        .where(col(Delivery.state) == DeliveryState.WAITING, col(Delivery.due_at) <= now)
        .order_by(col(Delivery.due_at))
        .limit(1)
    )


def _unannounced() -> Select[Tournament, Event]:
    known = select(col(Delivery.id)).where(col(Delivery.event) == col(Event.id)).exists()
    return (
        select(Tournament, Event)
        .join(Event, col(Event.tournament) == col(Tournament.id))
        .where(col(Tournament.webhook_url) > "", col(Event.state).in_(ENDED), ~known)
    )


def _announce(
    db: Database, tournament: Tournament, event: Event, now: datetime, dashboard: str
) -> bool:
    id, standings = new_id(), tournament_standings(db, tournament.id)
    body = {
        "format": FORMAT,
        "delivery": id,
        "tournament": {
            "id": tournament.id,
            "name": tournament.name,
            "format": tournament.format,
            "game": tournament.game,
            "state": event.state,
            "ended_at": event.completed_at.isoformat() if event.completed_at else None,
        },
        "standings": [_standing(row) for row in standings],
        "link": f"{dashboard}/tournaments?{urlencode({'tournament': tournament.name})}",
    }
    with db.write() as session:
        if _is_known(session, event.id):
            return False
        text = json.dumps(body, separators=(",", ":"))
        session.add(Delivery(id=id, event=event.id, body=text, due_at=now))
    return True


def _is_known(session: Session, event: str) -> bool:
    """The event is locked: two that announce it come one after another."""
    session.get_one(Event, event, with_for_update={"key_share": True})
    known = select(col(Delivery.id)).where(col(Delivery.event) == event)
    return session.scalar(known) is not None


def _standing(row: StandingRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "owner": row.owner,
        "bot": row.bot,
        "version": row.version,
        "pairs": row.pairs,
        "credit": row.credit,
        "credit_low": row.credit_low,
        "credit_high": row.credit_high,
        "rating": row.rating,
        "error": row.error,
        "faults": row.faults,
    }
