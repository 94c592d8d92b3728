"""The rounds of a tournament as its format sees them: who met, and with what credits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import format as formats
from arena_service.formats.format import Group
from arena_service.formats.meeting import Meeting
from arena_service.store.settings import settings_of
from arena_service.store.states import DepartureKind, MatchState
from arena_service.store.tables import (
    Departure,
    Entrant,
    Event,
    Ledger,
    Match,
    MatchSeat,
    Pair,
    Round,
    Tournament,
)


@dataclass(frozen=True)
class _Pair:
    """A planned pair; `legs` have the credits by entrant, as far as they count."""

    round: int
    group: Group
    size: int
    cancelled: bool
    legs: list[Mapping[str, float]] = field(default_factory=list)


def field_of(session: Session, event: Event, tournament: Tournament) -> formats.Field:
    """Who plays in a tournament whose entries are closed, and on what terms."""
    entered = list(session.scalars(select(Entrant).where(col(Entrant.event) == event.id)))
    seeded = sorted((row.seed, row.bot_version) for row in entered if row.seed is not None)
    return formats.Field(
        entrants=tuple(sorted(row.bot_version for row in entered)),
        seats=tournament.seats,
        rounds=tournament.rounds,
        seeding=tuple(version for _, version in seeded),
        challengers=frozenset(row.bot_version for row in entered if row.challenger),
        departures=tuple(_departures(session, event.id)),
        pairs=tournament.pairs,
        sprt=settings_of(tournament).sprt,
    )


def history(session: Session, event: str) -> list[formats.Round]:
    """Every planned round in its order, with what counts so far.

    Annulled results are in it: the format leaves out who is disqualified from when on it is.
    """
    rounds: dict[int, dict[frozenset[str], Meeting]] = defaultdict(dict)
    for pair in _pairs(session, event):
        met = rounds[pair.round].setdefault(frozenset(pair.group), Meeting(pair.group))
        met.whole = met.whole and not pair.cancelled
        if len(pair.legs) == pair.size:
            met.add(pair.legs)
    rows = session.scalars(
        select(Round).where(col(Round.event) == event).order_by(col(Round.number))
    )
    return [
        formats.Round(
            tuple(met.encounter() for met in rounds[row.number].values()),
            tuple(row.byes),
            row.pairs,
        )
        for row in rows
    ]


def newest_round(session: Session, event: str) -> Round | None:
    """The round that was planned last."""
    rounds = select(Round).where(col(Round.event) == event).order_by(col(Round.number).desc())
    return session.scalar(rounds.limit(1))


def _departures(session: Session, event: str) -> list[formats.Departure]:
    rows = session.scalars(
        select(Departure)
        .where(col(Departure.event) == event)
        .order_by(col(Departure.round), col(Departure.bot_version), col(Departure.kind))
    )
    return [
        formats.Departure(row.bot_version, row.round, row.kind == DepartureKind.DISQUALIFIED)
        for row in rows
    ]


def _pairs(session: Session, event: str) -> list[_Pair]:
    """In the order of their numbers."""
    groups = groups_of(session, event)
    cancelled = set(
        session.scalars(
            select(col(Match.pair))
            .where(col(Match.event) == event, col(Match.state) == MatchState.CANCELLED)
            .distinct()
        )
    )
    rows = select(Pair).where(col(Pair.event) == event).order_by(col(Pair.number))
    pairs = {
        row.id: _Pair(row.round, groups[row.id], row.legs, row.id in cancelled)
        for row in session.scalars(rows)
        if row.id in groups  # the doctor tells of a pair without its leg 0
    }
    ledger = select(Ledger.pair, Ledger.seats, Ledger.credits)  # type: ignore[call-overload]
    for pair, seats, credits in session.execute(ledger.where(col(Ledger.event) == event)):
        planned = pairs.get(pair)
        # The doctor tells of a ledger that says otherwise.
        if planned and set(seats) == set(planned.group):
            planned.legs.append(dict(zip(seats, credits, strict=True)))
    return list(pairs.values())


def groups_of(session: Session, event: str) -> dict[str, Group]:
    """By pair: who sits where in leg 0."""
    statement = (
        select(col(Match.pair), col(MatchSeat.bot_version))
        .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
        .where(col(Match.event) == event, col(Match.leg) == 0)
        .order_by(col(MatchSeat.seat))
    )
    seated: dict[str, list[str]] = defaultdict(list)
    for pair, version in session.execute(statement):
        seated[pair or ""].append(version)
    return {pair: tuple(versions) for pair, versions in seated.items()}
