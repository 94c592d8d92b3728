"""What standings are made of: results of whole pairs, ratings and faults, by version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from arena_service.ratings.tallies import Tally, tallied
from arena_service.store.faults import own_fault
from arena_service.store.ladder_tallies import Kept
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.states import EventState, MatchState
from arena_service.store.tables import Annulment, Event, Ledger, Match, MatchSeat, Rating, Result

_KNOWN: dict[Scope, tuple[tuple[int, int, int], Mapping[str, Tally]]] = {}
_KNOWN_AT_MOST = 16


def of_scope(
    session: Session, scope: Scope, rules: int, kept: Kept | None = None
) -> Mapping[str, Tally]:
    """By version, under one version of the rules; what is `kept` of a ladder is not counted again.

    Without it, counted anew only when the ledger or the annulments have grown: both are only
    appended to.
    """
    if kept is not None:
        return tallied(rated_rows(session, kept.since(scope), rules), kept.tallies)
    results = (
        select(func.count())
        .select_from(Ledger)
        .join(Event, col(Ledger.event) == col(Event.id))
        .where(scope.holds(), col(Event.rules_version) == rules)
    )
    annulled = select(func.count()).select_from(Annulment)
    state = (rules, session.scalar(results) or 0, session.scalar(annulled) or 0)
    known = _KNOWN.get(scope)
    if known is None or known[0] != state:
        if len(_KNOWN) >= _KNOWN_AT_MOST:
            _KNOWN.clear()
        known = _KNOWN[scope] = (state, tallied(rated_rows(session, scope, rules)))
    return known[1]


def ratings(session: Session, scope: Scope, rules: int) -> dict[str, Rating]:
    """By version, as fitted when the newest complete event of the scope was completed."""
    newest = (
        select(col(Event.id))
        .where(
            scope.holds(),
            col(Event.state) == EventState.COMPLETE,
            col(Event.rules_version) == rules,
        )
        .order_by(col(Event.slot).desc())
        .limit(1)
        .scalar_subquery()
    )
    found = session.scalars(select(Rating).where(col(Rating.event) == newest))
    return {row.bot_version: row for row in found}


def faults(
    session: Session, scope: Scope, rules: int, kept: Kept | None = None
) -> Mapping[str, int]:
    """By version: its matches that ended by its own fault, in pairs that are played.

    Under one version of the rules; a version without any is left out.
    """
    if kept is None:
        return _faults(session, scope, rules)
    return Counter(kept.faults) + Counter(_faults(session, kept.since(scope), rules))


def _faults(session: Session, scope: Scope, rules: int) -> dict[str, int]:
    other = aliased(Match)
    unplayed = (
        select(col(other.id))
        .where(col(other.pair) == col(Match.pair), col(other.state) == MatchState.PLANNED)
        .exists()
    )
    counted = (
        select(col(MatchSeat.bot_version), func.count())
        .join(Result, col(Result.match) == col(MatchSeat.match))
        .join(Match, col(Match.id) == col(Result.match))
        .join(Event, col(Event.id) == col(Match.event))
        .where(
            scope.holds(),
            col(Event.rules_version) == rules,
            own_fault(),
            ~unplayed,
        )
        .group_by(col(MatchSeat.bot_version))
    )
    return dict(session.execute(counted).all())
