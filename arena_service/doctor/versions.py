"""Versions of bots: their archives, their checks, and the states that follow from these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sqlalchemy import Subquery, case, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.doctor.report import Proof
from arena_service.store.states import UNPLAYED, VersionState
from arena_service.store.tables import Artifact, BotVersion, Match, Result, Series
from arena_service.verdicts import PASSED

SILENT = (VersionState.CHECKING, VersionState.ACTIVE)  # states that need no reason


def check_archives(session: Session, proof: Proof) -> None:
    """Every archive is what its name says: read one by one, they are large."""
    names = session.scalars(select(col(Artifact.sha256)).order_by(col(Artifact.sha256))).all()
    for name in names:
        one = select(col(Artifact.content), col(Artifact.size)).where(col(Artifact.sha256) == name)
        for content, size in session.execute(one):
            proof.take(f"archive {name}", _of_archive(name, content, size))


def _of_archive(name: str, content: bytes, size: int) -> Iterator[str]:
    if hashlib.sha256(content).hexdigest() != name:
        yield "its bytes have another hash than its name"
    if len(content) != size:
        yield f"has {len(content)} bytes, stored as {size}"


def check_versions(session: Session, proof: Proof) -> None:
    """Nobody would ever settle a version whose check is over, nor see that another one is wrong."""
    played = _played()
    statement = (
        select(
            BotVersion,
            col(Series.state),
            func.coalesce(played.c.matches, 0),
            func.coalesce(played.c.passed, 0),
        )
        .outerjoin(Series, col(BotVersion.check_series) == col(Series.id))
        .outerjoin(played, played.c.series == col(BotVersion.check_series))
        .order_by(col(BotVersion.id))
        .execution_options(yield_per=1000)
    )
    for version, check, matches, passed in session.execute(statement):
        proof.take(f"version {version.id}", _of_version(version, check, matches, passed))


def _played() -> Subquery:
    """By series: how many matches it has, and how many of them were passed."""
    passed = func.sum(case((col(Result.ending).in_(PASSED), 1), else_=0))
    return (
        select(col(Match.series), func.count().label("matches"), passed.label("passed"))
        .outerjoin(Result, col(Result.match) == col(Match.id))
        .group_by(col(Match.series))
        .subquery()
    )


def _of_version(version: BotVersion, check: str | None, matches: int, passed: int) -> Iterator[str]:
    state, series = version.state, version.check_series
    if state == VersionState.CHECKING and check not in UNPLAYED:
        yield f"is checked, its check {series} is {check}"
    if state == VersionState.ACTIVE and passed < matches:
        yield f"is active and passed {passed} of the {matches} matches of its check"
    if state == VersionState.FAILED and passed == matches:
        yield f"is failed and passed {passed} of the {matches} matches of its check"
    if (state in SILENT) == bool(version.reason):
        yield f"is {state} with the reason {version.reason!r}"
