"""Events, their pairs and their series: in the state that their matches are in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.store.states import ENDED, UNPLAYED, EventState, MatchState, SeriesState
from arena_service.store.tables import Event, Match, Pair, Series


def check_events(session: Session, proof: Proof) -> None:
    """Each event for itself, then the slots of each ladder in their order."""
    slots: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for event in session.scalars(select(Event).order_by(col(Event.ladder), col(Event.slot))):
        proof.take(f"event {event.id}", _of_event(event))
        if event.ladder is not None:
            slots[event.ladder].append((event.slot or 0, event.state))
    for ladder, found in slots.items():
        proof.take(f"ladder {ladder}", _of_slots(found))


def _of_event(event: Event) -> Iterator[str]:
    if (event.ladder is None) == (event.tournament is None):
        yield f"is of ladder {event.ladder} and tournament {event.tournament}"
    if event.state == EventState.OPEN and event.closed_at is not None:
        yield "is open and has been closed"
    if event.state in (EventState.RUNNING, EventState.COMPLETE) and event.entrants_digest is None:
        yield f"is {event.state} without an entrants digest"
    if (event.state in ENDED) != (event.completed_at is not None):
        yield f"is {event.state}, ended at {event.completed_at}"


def _of_slots(slots: list[tuple[int, str]]) -> Iterator[str]:
    if [number for number, _ in slots] != list(range(1, len(slots) + 1)):
        yield f"has the slots {[number for number, _ in slots]}"
    states = [state for _, state in slots]
    if states.count(EventState.OPEN) != 1 or states[-1] != EventState.OPEN:
        yield "has not exactly its last slot open"
    if states.count(EventState.RUNNING) > 1:
        yield "has more than one running slot"


def check_series(session: Session, proof: Proof) -> None:
    """A series waits or is leased exactly as long as it has matches to play."""
    to_play = (
        select(col(Match.series), func.count().label("count"))
        .where(col(Match.state) == MatchState.PLANNED)
        .group_by(col(Match.series))
        .subquery()
    )
    statement = select(Series, func.coalesce(to_play.c.count, 0)).outerjoin(
        to_play, to_play.c.series == col(Series.id)
    )
    for row, left in session.execute(statement.execution_options(yield_per=1000)):
        proof.take(f"series {row.id}", _of_series(row, left))


def _of_series(row: Series, left: int) -> Iterator[str]:
    alive = row.state in UNPLAYED
    if alive and not left:
        yield f"is {row.state} with nothing left to play"
    if not alive and left:
        yield f"is {row.state} with {left} matches to play"
    leased = row.state == SeriesState.LEASED
    if leased != (row.worker is not None) or leased != (row.lease_until is not None):
        yield f"is {row.state}, worker {row.worker}, leased until {row.lease_until}"


def check_pairs(session: Session, proof: Proof) -> None:
    """A pair has a match for each of its legs."""
    statement = (
        select(col(Pair.id), col(Pair.legs), func.count(col(Match.id)))
        .outerjoin(Match, col(Match.pair) == col(Pair.id))
        .group_by(col(Pair.id), col(Pair.legs))
    )
    for pair, legs, found in session.execute(statement.execution_options(yield_per=1000)):
        wrong = [] if found == legs else [f"has {found} matches for {legs} legs"]
        proof.take(f"pair {pair}", wrong)
