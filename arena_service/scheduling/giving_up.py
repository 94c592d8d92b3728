"""Matches that will never be played: cancelled with the series and attempts they belong to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.states import UNPLAYED, AttemptOutcome, Cause, MatchState, SeriesState
from arena_service.store.tables import Attempt, Match, Series


def give_up(session: Session, matches: Select[Any], now: datetime, why: str) -> None:
    """Cancel what is not played of `matches` (which selects ids), and whole series of it.

    In the order in which workers lock: matches, series, attempts. A late post is then refused.
    """
    session.execute(
        update(Match)
        .where(col(Match.id).in_(matches), col(Match.state) == MatchState.PLANNED)
        .values(state=MatchState.CANCELLED)
    )
    series = select(col(Match.series)).where(col(Match.id).in_(matches)).distinct()
    session.execute(
        update(Series)
        .where(col(Series.id).in_(series), col(Series.state).in_(UNPLAYED))
        .values(
            state=SeriesState.CANCELLED,
            fence=col(Series.fence) + 1,
            worker=None,
            lease_until=None,
            not_before=None,
        )
    )
    session.execute(
        update(Attempt)
        .where(col(Attempt.series).in_(series), col(Attempt.outcome) == AttemptOutcome.OPEN)
        .values(outcome=AttemptOutcome.FAILED, cause=Cause.OPERATOR, detail=why, ended_at=now)
    )
