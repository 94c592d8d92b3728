"""What a challenge came to, from the pairs that are whole."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.ratings.fit import LedgerRow
from arena_service.ratings.pentanomial import Pentanomial, points_of
from arena_service.ratings.table import StandingRow
from arena_service.ratings.tallies import tallied
from arena_service.store import tournaments
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.ledger import Scope, rated_rows
from arena_service.store.match_rows import MatchRow, match_rows
from arena_service.store.standings import standings_of
from arena_service.store.states import MatchState
from arena_service.store.tables import Entrant, Event, Match, Pair
from arena_service.store.tournaments import TournamentRow

MATCHES_SHOWN = 200


@dataclass(frozen=True)
class Side:
    """One bot; `points` are the credits of all its matches together."""

    standing: StandingRow
    points: float


@dataclass(frozen=True)
class Outcome:
    """The challenger first, then its opponents as they were named.

    `pentanomial` is the challenger's, None unless there are two seats. `matches` are the first
    MATCHES_SHOWN, in the order of pairs and legs.
    """

    challenge: TournamentRow
    sides: tuple[Side, ...]
    pentanomial: Pentanomial | None
    matches: tuple[MatchRow, ...]


def outcome(db: Database, challenge: str) -> Outcome:
    """By id or name; raises NotFoundError."""
    try:
        row = tournaments.show(db, challenge)
    except NotFoundError as error:
        raise NotFoundError("challenge", challenge) from error
    if row.format != formats.CHALLENGE:
        raise NotFoundError("challenge", challenge)
    scope = Scope(tournament=row.id)
    with db.read() as session:
        event = session.get_one(Event, row.event)
        rows = rated_rows(session, scope, event.rules_version or 0)
        table = standings_of(session, event, scope, tallied(rows))
        standing = {each.version_id: each for each in table}
        points = _points(rows)
        seeded = select(col(Entrant.bot_version)).where(col(Entrant.event) == event.id)
        order = list(session.scalars(seeded.order_by(col(Entrant.seed))))
        counts = None
        if row.seats == 2:
            counts = Pentanomial.of(taken for _, taken in points_of(rows, order[0]))
        return Outcome(
            challenge=row,
            sides=tuple(Side(standing[version], points[version]) for version in order),
            pentanomial=counts,
            matches=tuple(match_rows(session, _whole(session, event.id))),
        )


def _points(rows: list[LedgerRow]) -> defaultdict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        for version, credit in zip(row.seats, row.credits, strict=True):
            found[version] += credit
    return found


def _whole(session: Session, event: str) -> list[str]:
    """The matches of the pairs of which every leg has a result."""
    other = aliased(Match)
    missing = (
        select(col(other.id))
        .where(col(other.pair) == col(Match.pair), col(other.state) != MatchState.FINISHED)
        .exists()
    )
    found = (
        select(col(Match.id))
        .join(Pair, col(Match.pair) == col(Pair.id))
        .where(col(Match.event) == event, ~missing)
        .order_by(col(Pair.number), col(Match.leg))
        .limit(MATCHES_SHOWN)
    )
    return list(session.scalars(found))
