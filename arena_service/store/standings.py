"""The standings of a ladder or a tournament, derived at every look.

Of a ladder only the slots since the last complete one are counted then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings import fit
from arena_service.ratings.table import Named, StandingRow, ranked, standing_row
from arena_service.ratings.tallies import Tally
from arena_service.store import ladder_tallies, tallies
from arena_service.store.database import Database
from arena_service.store.entries import entrants
from arena_service.store.errors import NotFoundError
from arena_service.store.ledger import Scope
from arena_service.store.states import EventState, MatchState
from arena_service.store.tables import (
    Account,
    Bot,
    BotVersion,
    Entrant,
    Event,
    Ladder,
    Match,
    Pair,
    Rating,
    Tournament,
)


@dataclass(frozen=True)
class Standings:
    """Rows best first; planned and done pairs of `slot`, the newest closed one (0: none yet)."""

    rows: tuple[StandingRow, ...]
    pairs_planned: int
    pairs_done: int
    event: str | None
    slot: int
    next_due: datetime
    commitment: str


def standings(db: Database, ladder_id: str) -> Standings:
    """The versions of the newest closed slot (before the first: who is entered now)."""
    with db.read() as session:
        ladder = session.get(Ladder, ladder_id)
        if ladder is None:
            raise NotFoundError("ladder", ladder_id)
        open_slot = session.scalars(
            _slots(ladder_id).where(col(Event.state) == EventState.OPEN)
        ).one()
        closed = session.scalar(
            _slots(ladder_id).where(col(Event.state) != EventState.OPEN).limit(1)
        )
        if closed is None:
            pairs = PairCounts()
            rows = _unplayed(session, entrants(session, ladder))
        else:
            pairs = pairs_of(session, closed.id)
            rows = _played(session, closed)
        return Standings(
            rows=rows,
            pairs_planned=pairs.planned,
            pairs_done=pairs.done,
            event=None if closed is None else closed.id,
            slot=0 if closed is None else closed.slot,
            next_due=ladder.next_due,
            commitment=open_slot.commitment,
        )


def tournament_standings(db: Database, tournament_id: str) -> tuple[StandingRow, ...]:
    """Best first, from the pairs that are whole; while entries are open: who is entered now."""
    with db.read() as session:
        event = session.scalar(select(Event).where(col(Event.tournament) == tournament_id))
        if event is None:
            raise NotFoundError("tournament", tournament_id)
        if event.closed_at is None:
            tournament = session.get_one(Tournament, tournament_id)
            return _unplayed(session, entrants(session, tournament))
        return _played(session, event)


@dataclass(frozen=True)
class PairCounts:
    """Pairs of an event: `planned` without the `cancelled`; `done`: every leg has a result."""

    planned: int = 0
    done: int = 0
    cancelled: int = 0


def pairs_of(session: Session, event: str) -> PairCounts:
    """How many there are; a pair is cancelled with any of its matches."""
    total = session.scalar(select(func.count()).where(col(Pair.event) == event)) or 0
    cancelled = _pairs_with(session, event, col(Match.state) == MatchState.CANCELLED)
    unfinished = _pairs_with(session, event, col(Match.state) != MatchState.FINISHED)
    return PairCounts(total - cancelled, total - unfinished, cancelled)


def _pairs_with(session: Session, event: str, condition: ColumnElement[bool]) -> int:
    counted = select(func.count(func.distinct(col(Match.pair))))
    return session.scalar(counted.where(col(Match.event) == event, condition)) or 0


def _slots(ladder: str) -> Any:
    return select(Event).where(col(Event.ladder) == ladder).order_by(col(Event.slot).desc())


def _unplayed(session: Session, versions: list[BotVersion]) -> tuple[StandingRow, ...]:
    return _table(session, [each.id for each in versions], {}, {}, {})


def _played(session: Session, event: Event) -> tuple[StandingRow, ...]:
    return standings_of(session, event, Scope.of(event))


def standings_of(
    session: Session, event: Event, scope: Scope, counted: Mapping[str, Tally] | None = None
) -> tuple[StandingRow, ...]:
    """The entrants of an event, best first, by the results of a scope under the event's rules.

    `counted` are these results, where the caller has read them; None: they are read.
    """
    rules = event.rules_version or 0
    statement = select(col(Entrant.bot_version)).where(col(Entrant.event) == event.id)
    versions = list(session.scalars(statement))
    kept = ladder_tallies.newest(session, scope, rules)
    return _table(
        session,
        versions,
        tallies.of_scope(session, scope, rules, kept) if counted is None else counted,
        tallies.ratings(session, scope, rules),
        tallies.faults(session, scope, rules, kept),
    )


def _table(
    session: Session,
    versions: list[str],
    counted: Mapping[str, Tally],
    ratings: Mapping[str, Rating],
    faults: Mapping[str, int],
) -> tuple[StandingRow, ...]:
    names = session.execute(
        select(BotVersion, col(Bot.name), col(Account.name))
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(BotVersion.id).in_(versions))
    )
    return ranked(
        standing_row(
            Named(version.id, owner, bot, version.number),
            counted.get(version.id, Tally()),
            _strength(ratings.get(version.id)),
            faults.get(version.id, 0),
        )
        for version, bot, owner in names
    )


def _strength(stored: Rating | None) -> fit.Rating | None:
    return None if stored is None else fit.Rating(stored.value, stored.error)
