"""Which ladders are in their final run: a tournament of theirs that has not ended."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from arena_service.store.errors import ConflictError
from arena_service.store.states import ENDED
from arena_service.store.tables import Entrant, Event, Ladder, Tournament


def of_ladder() -> Select[str]:
    """The name of the final run that a row of the table of ladders is in."""
    event = aliased(Event)
    return (
        select(col(Tournament.name))
        .join(event, col(event.tournament) == col(Tournament.id))
        .where(col(Tournament.ladder) == col(Ladder.id), col(event.state).not_in(ENDED))
        .correlate(Ladder)
    )


def is_on() -> ColumnElement[bool]:
    """The condition that a ladder is in its final run."""
    return of_ladder().exists()


def check_none(session: Session, ladder: Ladder) -> None:
    """Raises ConflictError during the final run of a ladder: nobody enters, no slot begins."""
    named = select(of_ladder().scalar_subquery()).where(col(Ladder.id) == ladder.id)
    name = session.scalar(named)
    if name is not None:
        raise ConflictError(
            f"{ladder.name} is in its final run, {name}: entries are closed and no slot begins "
            "until that has ended"
        )


def played_by(session: Session, bot: str) -> list[str]:
    """The names of the ladders in whose final run a bot (by id) plays."""
    plays = (
        select(col(Entrant.bot_version))
        .where(col(Entrant.event) == col(Event.id), col(Entrant.bot_id) == bot)
        .exists()
    )
    found = (
        select(col(Ladder.name))
        .join(Tournament, col(Tournament.ladder) == col(Ladder.id))
        .join(Event, col(Event.tournament) == col(Tournament.id))
        .where(col(Event.state).not_in(ENDED), plays)
        .order_by(col(Ladder.name))
    )
    return list(session.scalars(found))
