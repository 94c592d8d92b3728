"""The legs of a pair that belong beside a match."""

from __future__ import annotations

from sqlalchemy import select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.match_rows import MatchRow, match_rows
from arena_service.store.tables import Match


def other_legs(db: Database, match_id: str) -> list[MatchRow]:
    """The other seatings of the same deal, by leg; none for a match without a pair."""
    pair = select(col(Match.pair)).where(col(Match.id) == match_id).scalar_subquery()
    others = (
        select(col(Match.id))
        .where(col(Match.pair) == pair, col(Match.id) != match_id)
        .order_by(col(Match.leg))
    )
    with db.read() as session:
        return match_rows(session, list(session.scalars(others)))
