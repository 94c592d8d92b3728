"""Rounds of a tournament: the first at its start, each other when the one before is played."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.formats.format import Pairing
from arena_service.scheduling.planning import Closed, plan
from arena_service.store.database import Database, changed
from arena_service.store.rounds import field_of, history, newest_round
from arena_service.store.states import EventState, MatchState
from arena_service.store.tables import Event, Match, Pair, Round, Tournament
from engine_service.logs import get_logger

log = get_logger("interrex.rounds")


def advance(db: Database, event_id: str, now: datetime) -> bool:
    """Close the round of a running tournament that is played, and plan the next in the same moment.

    True: there is one more. Whoever comes second finds the round closed and does nothing.
    """
    with db.write() as session:
        event = locked(session, event_id)
        last = newest_round(session, event_id)
        if event.state != EventState.RUNNING or last is None or _unplayed(session, event_id):
            return False
        if not close(session, last, now):
            return False
        tournament = session.get_one(Tournament, event.tournament)
        return plan_next(session, event, tournament, tournament.pairs, now)


def plan_next(
    session: Session,
    event: Event,
    tournament: Tournament,
    pairs: int,
    now: datetime,
) -> bool:
    """Write the next round of an event that is locked; False: its format has no more."""
    played = history(session, event.id)
    closed = Closed(event, event.entrants_digest or "", event.rules_version or 0)
    field = field_of(session, event, tournament)
    pairing = formats.find(tournament.format).next_round(field, played, closed.draw)
    if pairing is None or not pairing.groups:
        return False
    _write(session, closed, tournament, pairing, len(played) + 1, pairing.pairs or pairs, now)
    return True


def close(session: Session, round: Round, now: datetime) -> bool:
    """Nothing more is planned in this round; False: somebody closed it before."""
    statement = update(Round).where(
        col(Round.event) == round.event,
        col(Round.number) == round.number,
        col(Round.closed_at).is_(None),
    )
    return changed(session, statement.values(closed_at=now)) == 1


def locked(session: Session, event: str) -> Event:
    """An event that nobody else starts, ends, extends or advances meanwhile."""
    statement = select(Event).where(col(Event.id) == event)
    return session.scalars(statement.with_for_update(key_share=True)).one()


def _write(
    session: Session,
    closed: Closed,
    tournament: Tournament,
    pairing: Pairing,
    number: int,
    pairs: int,
    now: datetime,
) -> None:
    event = closed.event.id
    row = {
        "event": event,
        "number": number,
        "pairs": pairs,
        "byes": list(pairing.byes),
        "planned_at": now,
    }
    session.execute(insert(Round), [row])
    first = session.scalar(select(func.count()).where(col(Pair.event) == event)) or 0
    plan(closed, tournament, pairing.groups, pairs, now, round=number, first_pair=first).write(
        session
    )
    log.info("round planned", event_id=event, round=number, byes=len(pairing.byes))


def _unplayed(session: Session, event: str) -> bool:
    left = select(col(Match.id)).where(
        col(Match.event) == event, col(Match.state) == MatchState.PLANNED
    )
    return session.scalar(left.limit(1)) is not None
