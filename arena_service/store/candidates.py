"""What match-making is told: read from earlier slots of a ladder, kept with the entrants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats.candidates import Candidate, Past
from arena_service.formats.format import Group
from arena_service.store.ledger import Scope
from arena_service.store.states import EventState
from arena_service.store.tables import Entrant, Event, Match, MatchSeat, Pair
from arena_service.store.tallies import ratings


def record(session: Session, event: Event, ladder: str, rules: int) -> dict[str, Candidate]:
    """Write what is known of every entrant of a slot that closes, by version."""
    rows = list(session.scalars(select(Entrant).where(col(Entrant.event) == event.id)))
    rated = ratings(session, Scope(ladder=ladder), rules)
    past = _past(session, ladder, rules, [row.bot_version for row in rows])
    found: dict[str, Candidate] = {}
    for row in rows:
        rating = rated.get(row.bot_version)
        values = (None, None) if rating is None else (rating.value, rating.error)
        known = past.candidate(row.bot_version, event.slot or 0, *values)
        row.rating, row.error = values
        row.pairs, row.waited, row.met = known.pairs, known.waited, list(known.met)
        found[row.bot_version] = known
    return found


def recorded(session: Session, event: str) -> dict[str, Candidate]:
    """Of every entrant of a slot whose entries are closed, by version."""
    rows = session.scalars(select(Entrant).where(col(Entrant.event) == event))
    return {row.bot_version: candidate_of(row) for row in rows}


def candidate_of(row: Entrant) -> Candidate:
    """What was recorded of an entrant of a slot."""
    return Candidate(row.rating, row.error, row.pairs or 0, row.waited or 0, tuple(row.met or ()))


def groups_in_order(session: Session, event: str) -> list[Group]:
    """Of every pair, in the order of their numbers: who sits where in leg 0."""
    statement = (
        select(col(Pair.number), col(MatchSeat.bot_version))
        .join(Match, col(Match.pair) == col(Pair.id))
        .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
        .where(col(Pair.event) == event, col(Match.leg) == 0)
        .order_by(col(Pair.number), col(MatchSeat.seat))
    )
    seated: dict[int, list[str]] = defaultdict(list)
    for number, version in session.execute(statement):
        seated[number].append(version)
    return [tuple(versions) for versions in seated.values()]


def _past(session: Session, ladder: str, rules: int, versions: Sequence[str]) -> Past:
    """What the newest slot of each version tells: all that was before is recorded in it."""
    newest = (
        select(func.max(col(Event.slot)))
        .join(Entrant, col(Entrant.event) == col(Event.id))
        .where(
            col(Event.ladder) == ladder,
            col(Event.state) == EventState.COMPLETE,
            col(Event.rules_version) == rules,
            col(Entrant.bot_version).in_(versions),
        )
        .group_by(col(Entrant.bot_version))
    )
    slots = select(Event).where(col(Event.ladder) == ladder, col(Event.slot).in_(newest))
    past = Past()
    for event in session.scalars(slots.order_by(col(Event.slot))):
        entered = recorded(session, event.id)
        past.add(event.slot or 0, entered, groups_in_order(session, event.id))
    return past
