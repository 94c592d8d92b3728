"""Which seats stalled hosts have kept waiting: an excuse that wears out (docs/decisions/0006)."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.tables import Attempt, Series
from arena_service.work import Late


def note(session: Session, held: Series, late: Late) -> None:
    """Keep with the attempt that its seat was late on a stalled host."""
    session.execute(
        update(Attempt)
        .where(
            col(Attempt.series) == held.id,
            col(Attempt.fence) == held.fence,
            col(Attempt.match) == late.match_id,
        )
        .values(late_seat=late.seat)
    )


def by_seat(session: Session, series: str) -> dict[str, dict[int, int]]:
    """By match of a series and by seat: how many attempts were void because the seat was late."""
    late = select(col(Attempt.match), col(Attempt.late_seat)).where(
        col(Attempt.series) == series, col(Attempt.late_seat).is_not(None)
    )
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for match, seat in session.execute(late):
        found[match][seat or 0] += 1
    return {match: dict(seats) for match, seats in found.items()}
