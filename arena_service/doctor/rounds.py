"""Rounds of tournaments: one after the other, with their byes and with what departures ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.formats import catalogue as formats
from arena_service.scheduling.planning import Closed
from arena_service.store.rounds import field_of, history
from arena_service.store.states import DepartureKind, EventState, MatchState
from arena_service.store.tables import (
    Annulment,
    Departure,
    Entrant,
    Event,
    Match,
    MatchSeat,
    Pair,
    Round,
    Tournament,
)


def check_rounds(session: Session, proof: Proof) -> None:
    """Every tournament whose entries are closed."""
    started = select(Event, Tournament).join(
        Tournament, col(Event.tournament) == col(Tournament.id)
    )
    for event, tournament in session.execute(started.where(col(Event.closed_at).is_not(None))):
        rounds = list(
            session.scalars(
                select(Round).where(col(Round.event) == event.id).order_by(col(Round.number))
            )
        )
        proof.take(f"event {event.id}", _in_order(session, event, rounds))
        proof.take(f"event {event.id}", _byes(session, event, tournament, rounds))
        for row in session.scalars(select(Departure).where(col(Departure.event) == event.id)):
            proof.take(f"departure of {row.bot_version}", _departed(session, row, len(rounds)))


def _in_order(session: Session, event: Event, rounds: list[Round]) -> Iterator[str]:
    numbers = [row.number for row in rounds]
    if numbers != list(range(1, len(rounds) + 1)):
        yield f"has the rounds {numbers}"
    planned = select(col(Pair.round)).where(col(Pair.event) == event.id).distinct()
    if sorted(session.scalars(planned)) != numbers:
        yield "its pairs are not of its rounds"
    if any(row.closed_at is None for row in rounds[:-1]):
        yield "has an open round before its last"
    if event.state == EventState.COMPLETE and rounds and rounds[-1].closed_at is None:
        yield "is complete, its last round is open"


def _byes(
    session: Session, event: Event, tournament: Tournament, rounds: list[Round]
) -> Iterator[str]:
    played = history(session, event.id)
    field = field_of(session, event, tournament)
    field = replace(field, rounds=max(field.rounds, len(rounds)))
    draws = Closed(event, event.entrants_digest or "", event.rules_version or 0).draw
    for row in rounds:
        before = played[: row.number - 1]
        pairing = formats.find(tournament.format).next_round(field, before, draws)
        if pairing is None or list(pairing.byes) != row.byes:
            yield f"round {row.number} has other byes than were drawn"


def _departed(session: Session, row: Departure, rounds: int) -> Iterator[str]:
    if session.get(Entrant, (row.event, row.bot_version)) is None:
        yield "is of nobody who was entered"
    if not 1 <= row.round <= rounds:
        yield f"happened in round {row.round} of {rounds}"
    if row.kind == DepartureKind.DISQUALIFIED:
        counting = (
            select(col(Match.id))
            .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
            .where(
                col(Match.event) == row.event,
                col(Match.state) == MatchState.FINISHED,
                col(MatchSeat.bot_version) == row.bot_version,
                col(Match.id).not_in(select(col(Annulment.match))),
            )
        )
        for match in session.scalars(counting):
            yield f"match {match} is not annulled"
