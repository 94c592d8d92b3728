"""How many tournaments an account may have, and how large they may be."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.store.accounts import lock_account
from arena_service.store.entries import MAX_ENTRIES
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.settings import settings_of
from arena_service.store.states import ENDED
from arena_service.store.tables import Entrant, Event, Pair, Tournament

MAX_PAIRS = 1000
MAX_ROUNDS = 50
MAX_PAIRS_PLANNED = 2000
MAX_PAIRS_OF_A_DAY = 10_000
MAX_OPEN_OF_AN_OWNER = 50
DAY = timedelta(days=1)


def check_room(session: Session, owner: str) -> None:
    """Raises ConflictError when an account, which the caller holds, has too many not ended."""
    statement = (
        select(func.count())
        .select_from(Tournament)
        .join(Event, col(Event.tournament) == col(Tournament.id))
        .where(col(Tournament.owner) == owner, col(Event.state).not_in(ENDED))
    )
    if (session.scalar(statement) or 0) >= MAX_OPEN_OF_AN_OWNER:
        raise ConflictError(
            f"an account has at most {MAX_OPEN_OF_AN_OWNER} tournaments that have not ended"
        )


def check_size(tournament: Tournament, bots: int) -> None:
    """Raises ConflictError when so many bots are too many to plan, or for the format."""
    at_most = formats.find(tournament.format).at_most
    if at_most is not None and bots > at_most:
        raise ConflictError(f"{tournament.name} is full: a {tournament.format} is of {at_most}")
    groups = groups_of(tournament, bots)
    if bots > MAX_ENTRIES or groups * tournament.pairs > MAX_PAIRS_PLANNED:
        raise ConflictError(
            f"{tournament.name} is full: a tournament has at most {MAX_ENTRIES} entries and "
            f"{MAX_PAIRS_PLANNED} pairs"
        )


def check_day(session: Session, tournament: Tournament, pairs: int, now: datetime) -> None:
    """Raises ConflictError when with so many more pairs its owner has started too much in a day.

    Locks the account. Cancelled tournaments count: their plan stays.
    """
    lock_account(session, tournament.owner)
    started = (
        select(func.count(col(Pair.id)))
        .join(Event, col(Pair.event) == col(Event.id))
        .join(Tournament, col(Event.tournament) == col(Tournament.id))
        .where(col(Tournament.owner) == tournament.owner, col(Event.closed_at) > now - DAY)
    )
    if (session.scalar(started) or 0) + pairs > MAX_PAIRS_OF_A_DAY:
        raise ConflictError(
            f"the tournaments that an account starts within 24 hours have at most "
            f"{MAX_PAIRS_OF_A_DAY} pairs"
        )


def check_extension(tournament: Tournament, pairs: int, rounds: int) -> None:
    """Raises InvalidError when its format is not extended by that, or not by so many."""
    extends = formats.find(tournament.format).extends
    for name, value, most in (("pairs", pairs, MAX_PAIRS), ("rounds", rounds, MAX_ROUNDS)):
        if name == extends and not 1 <= value <= most:
            raise InvalidError(name, f"1 to {most}")
        if name != extends and value:
            raise InvalidError(name, f"none: a {tournament.format} is extended by {extends}")


def check_extended(
    session: Session, tournament: Tournament, event: Event, pairs: int, rounds: int, now: datetime
) -> None:
    """Raises ConflictError when it is too large with what was added: `pairs` a group, or rounds."""
    planned = session.scalar(select(func.count()).where(col(Pair.event) == event.id)) or 0
    bots = session.scalar(select(func.count()).where(col(Entrant.event) == event.id)) or 0
    format = formats.find(tournament.format)
    challengers = len(settings_of(tournament).challengers)
    if pairs:
        more = format.size(bots, tournament.seats, 1, challengers) * pairs
    else:
        groups = format.size(bots, tournament.seats, tournament.rounds + rounds, challengers)
        more = groups * tournament.pairs - planned
    if planned + more > MAX_PAIRS_PLANNED:
        raise ConflictError(f"a tournament has at most {MAX_PAIRS_PLANNED} pairs")
    check_day(session, tournament, more, now)


def groups_of(tournament: Tournament, bots: int) -> int:
    """How many groups so many bots make, over all rounds at most."""
    format = formats.find(tournament.format)
    rounds = format.rounds(bots, tournament.rounds)
    challengers = len(settings_of(tournament).challengers)
    return format.size(bots, tournament.seats, rounds, challengers)
