"""Whose fault an ending was: the same rule for a result at hand and for those in the database."""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import col

from arena_service.store.tables import Evidence, MatchSeat, Result
from arena_service.verdicts import NOBODY_STARTED, OWN_FAULTS


def seats_at_fault(result: Result, broke: set[int]) -> set[int]:
    """The seats to blame for a result; `broke` are those over a limit. Resigning is no fault."""
    if result.ending == NOBODY_STARTED:
        return broke
    if result.ending in OWN_FAULTS and result.at_fault is not None:
        return {result.at_fault}
    return set()


def own_fault() -> ColumnElement[bool]:
    """The condition that a result is the fault of a seat, both rows of the same match."""
    broke = (
        select(col(Evidence.seat))
        .where(
            col(Evidence.attempt) == col(Result.attempt),
            col(Evidence.seat) == col(MatchSeat.seat),
            col(Evidence.limit) != "",
        )
        .exists()
    )
    blamed = (col(Result.at_fault) == col(MatchSeat.seat)) & col(Result.ending).in_(OWN_FAULTS)
    return or_(blamed, (col(Result.ending) == NOBODY_STARTED) & broke)
