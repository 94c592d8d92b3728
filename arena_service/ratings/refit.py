"""An event whose matches all have a result is completed: rated, and its key made public."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.fit import fit
from arena_service.store import ladder_tallies, tallies
from arena_service.store.competitions import is_rated
from arena_service.store.database import Database, changed
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.states import EventState, MatchState
from arena_service.store.tables import Annulment, Event, Match, Rating, Round
from engine_service.logs import get_logger

log = get_logger("interrex.ratings")


def complete_event(db: Database, event_id: str, now: datetime) -> bool:
    """Fit the ratings of the event's scope so far and store them with it; once, whoever asks.

    A challenge has none.
    Raises FitError when the results allow no fit; the event then stays as it is.
    """
    with db.read() as session:
        if _is_open(session, event_id):
            return False
        annulled = _annulled(session, event_id)
        event = session.get_one(Event, event_id)
        rated = is_rated(session, event)
        rows = rated_rows(session, Scope.of(event), event.rules_version or 0) if rated else []
        faults = _faults_so_far(session, event)
    ratings = fit(rows)
    with db.write() as session:
        completed = (
            update(Event)
            .where(col(Event.id) == event_id, col(Event.state) == EventState.RUNNING)
            .values(
                state=EventState.COMPLETE, completed_at=_after_annulments(session, event_id, now)
            )
        )
        if changed(session, completed) != 1:
            return False
        if _is_open(session, event_id) or _annulled(session, event_id) != annulled:
            session.rollback()  # extended, or somebody was disqualified, while the fit was made
            return False
        if ratings:
            session.execute(
                insert(Rating),
                [
                    {"event": event_id, "bot_version": version, "value": r.value, "error": r.error}
                    for version, r in ratings.items()
                ],
            )
        if event.ladder is not None:
            ladder_tallies.keep(session, event, rows, faults)
    log.info("event completed", event_id=event_id, rated=len(ratings), results=len(rows))
    return True


def _faults_so_far(session: Session, event: Event) -> Mapping[str, int]:
    """By version, on the whole ladder; what was kept with the slot before is not counted again."""
    if event.ladder is None:
        return {}
    scope, rules = Scope.of(event), event.rules_version or 0
    kept = ladder_tallies.newest(session, scope, rules)
    return tallies.faults(session, scope, rules, kept)


def _is_open(session: Session, event: str) -> bool:
    """Whether it has a match to play, or a round after which another may be planned."""
    match = select(col(Match.id)).where(
        col(Match.event) == event, col(Match.state) == MatchState.PLANNED
    )
    round = select(col(Round.number)).where(
        col(Round.event) == event, col(Round.closed_at).is_(None)
    )
    return any(session.scalar(open_ones.limit(1)) is not None for open_ones in (match, round))


def _annulled(session: Session, event: str) -> int:
    counted = (
        select(func.count())
        .select_from(Annulment)
        .join(Match, col(Match.id) == col(Annulment.match))
        .where(col(Match.event) == event)
    )
    return session.scalar(counted) or 0


def _after_annulments(session: Session, event: str, now: datetime) -> datetime:
    """The present, but no sooner than the annulments that count in it: a clock may be set back."""
    newest = (
        select(func.max(col(Annulment.created_at)))
        .join(Match, col(Match.id) == col(Annulment.match))
        .where(col(Match.event) == event)
    )
    return max(now, session.scalar(newest) or now)
