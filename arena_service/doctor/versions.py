"""Versions of bots: one is checked exactly as long as its check is played."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.store.states import UNPLAYED, VersionState
from arena_service.store.tables import BotVersion, Series


def check_versions(session: Session, proof: Proof) -> None:
    """Nobody would ever settle a version whose check is over."""
    statement = (
        select(col(BotVersion.id), col(BotVersion.state), col(Series.id), col(Series.state))
        .outerjoin(Series, col(BotVersion.check_series) == col(Series.id))
        .order_by(col(BotVersion.id))
        .execution_options(yield_per=1000)
    )
    for version, state, series, played in session.execute(statement):
        stuck = state == VersionState.CHECKING and played not in UNPLAYED
        wrong = [f"is checked, its check {series} is {played}"] if stuck else []
        proof.take(f"version {version}", wrong)
