"""What follows from the key of an event: commitment, entrants, deals, seeds and seatings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.formats import catalogue as formats
from arena_service.formats.drawing import Origin, in_order, of_slot, seated
from arena_service.formats.format import Draws, Group
from arena_service.store.candidates import recorded
from arena_service.store.rounds import field_of, history
from arena_service.store.tables import (
    Entrant,
    Event,
    Ladder,
    Match,
    MatchSeat,
    Pair,
    Round,
    Tournament,
)
from engine_service.core.seeds import commitment, entrants_digest


@dataclass(frozen=True)
class Seating:
    """Who sits where in one leg, and the seeds of the bots; both by seat."""

    versions: tuple[str, ...]
    bot_seeds: tuple[str, ...]


Legs = dict[int, Seating]


def check_seeds(session: Session, proof: Proof) -> None:
    """Everything of the events whose entries are closed; of the others the commitment.

    What is told of a mismatch never shows what the key gives: it may still be secret.
    """
    for event in session.scalars(select(Event).order_by(col(Event.created_at))):
        problems = [] if commitment(event.key) == event.commitment else ["another commitment"]
        proof.take(f"event {event.id}", problems)
        if event.entrants_digest is not None:
            proof.take(f"event {event.id}", _of_entrants(session, event, event.entrants_digest))
            _check_pairs(session, event, event.entrants_digest, proof)
            session.expunge_all()


def _of_entrants(session: Session, event: Event, digest: str) -> Iterator[str]:
    rows = session.execute(
        select(col(Entrant.bot_id), col(Entrant.sha256)).where(col(Entrant.event) == event.id)
    )
    if entrants_digest([(bot, sha256) for bot, sha256 in rows]) != digest:
        yield "its entrants do not give its entrants digest"


def _check_pairs(session: Session, event: Event, digest: str, proof: Proof) -> None:
    legs, origin = _seatings(session, event), Origin(event.key, event.id, digest)
    pairs = list(
        session.scalars(select(Pair).where(col(Pair.event) == event.id).order_by(col(Pair.number)))
    )
    drawn = list(_drawn(session, event, origin))
    wrong = [] if len(pairs) == len(drawn) else [f"{len(pairs)} pairs, drawn are {len(drawn)}"]
    proof.take(f"event {event.id}", wrong)
    for pair in pairs:
        proof.take(f"pair {pair.id}", _of_pair(origin, pair, legs[pair.id], drawn))


def _of_pair(origin: Origin, pair: Pair, legs: Legs, drawn: list[Group]) -> Iterator[str]:
    number = pair.number
    if not 0 <= number < len(drawn):
        yield f"has number {number}, drawn are {len(drawn)} pairs"
        return
    if pair.seed != origin.deal_seed(number):
        yield "its seed does not follow from the key"
    for leg, seating in sorted(legs.items()):
        if seating.versions != seated(drawn[number], leg):
            yield f"leg {leg}: its seating was not drawn"
        if seating.bot_seeds != origin.bot_seeds(number, leg, len(seating.bot_seeds)):
            yield f"leg {leg}: the seeds of its bots do not follow from the key"


def _seatings(session: Session, event: Event) -> dict[str, Legs]:
    """By pair and leg."""
    statement = (
        select(col(Match.pair), col(Match.leg), col(MatchSeat.bot_version), col(MatchSeat.bot_seed))
        .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
        .where(col(Match.event) == event.id)
        .order_by(col(MatchSeat.seat))
    )
    found: dict[str | None, dict[int, list[tuple[str, str]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for pair, leg, version, seed in session.execute(statement):
        found[pair][leg].append((version, seed))
    seatings: dict[str, Legs] = defaultdict(dict)
    for pair, legs in found.items():
        for leg, rows in legs.items():
            versions, seeds = zip(*rows, strict=True)
            seatings[pair or ""][leg] = Seating(versions, seeds)
    return seatings


def _drawn(session: Session, event: Event, origin: Origin) -> Iterator[Group]:
    """The group of every pair, by its number."""
    if (ladder := session.get(Ladder, event.ladder or "")) is not None:
        known = recorded(session, event.id)
        met = of_slot(known, ladder.seats, ladder.pairs_per_slot, origin)
        return in_order(met, ladder.pairs_per_slot)
    if (tournament := session.get(Tournament, event.tournament or "")) is not None:
        return _of_rounds(session, event, tournament, origin.draw)
    return iter(())


def _of_rounds(
    session: Session, event: Event, tournament: Tournament, draws: Draws
) -> Iterator[Group]:
    """Every round again, each from what was known when it was planned."""
    field, played = field_of(session, event, tournament), history(session, event.id)
    field = replace(field, rounds=max(field.rounds, len(played)))
    format = formats.find(tournament.format)
    rows = session.scalars(
        select(Round).where(col(Round.event) == event.id).order_by(col(Round.number))
    )
    for before, row in enumerate(rows):
        pairing = format.next_round(field, played[:before], draws)
        yield from in_order(pairing.groups if pairing else (), row.pairs)
