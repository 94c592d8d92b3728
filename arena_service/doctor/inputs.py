"""What match-making was told of the entrants of a slot follows from the slots before."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.formats.candidates import Slot, contradictions
from arena_service.store.candidates import groups_in_order, recorded
from arena_service.store.tables import Event, Ladder, Rating


def check_inputs(session: Session, proof: Proof) -> None:
    """Every slot of every ladder whose entries are closed."""
    for ladder in session.scalars(select(col(Ladder.id))):
        _check_ladder(session, ladder, proof)


def _check_ladder(session: Session, ladder: str, proof: Proof) -> None:
    closed = (
        select(Event)
        .where(col(Event.ladder) == ladder, col(Event.closed_at).is_not(None))
        .order_by(col(Event.slot))
    )
    events = {event.slot or 0: event for event in session.scalars(closed)}
    wrong: dict[int, list[str]] = defaultdict(list)
    slots = (_slot(session, number, event) for number, event in events.items())
    for number, version, text in contradictions(slots):
        wrong[number].append(f"version {version}: {text}")
    for number, event in events.items():
        proof.take(f"event {event.id}", wrong[number])


def _slot(session: Session, number: int, event: Event) -> Slot:
    ratings = session.scalars(select(Rating).where(col(Rating.event) == event.id))
    return Slot(
        number=number,
        rules_version=event.rules_version or 0,
        entered=recorded(session, event.id),
        played=groups_in_order(session, event.id),
        ratings={row.bot_version: (row.value, row.error) for row in ratings},
    )
