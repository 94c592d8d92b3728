"""Tournaments: one event each, that bots enter until it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.store import entries
from arena_service.store.accounts import lock_account
from arena_service.store.competitions import find, open_event
from arena_service.store.database import Database
from arena_service.store.entries import MAX_ENTRIES, Entered
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.names import check_name
from arena_service.store.settings import PLAIN, Settings, check, settings_of
from arena_service.store.states import ENDED, EventState
from arena_service.store.tables import (
    Account,
    Entrant,
    Event,
    Pair,
    Tournament,
    TournamentEntry,
)
from arena_service.store.terms import agree

DEFAULT_PAIRS = 5
MAX_PAIRS = 1000
MAX_ROUNDS = 50
MAX_PAIRS_PLANNED = 2000
MAX_PAIRS_OF_A_DAY = 10_000
MAX_OPEN_OF_AN_OWNER = 50
DAY = timedelta(days=1)


@dataclass(frozen=True)
class TournamentRow:
    """A tournament with its event; `key` is there once it has ended."""

    id: str
    name: str
    owner_id: str
    owner: str
    format: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    pairs: int
    rounds: int
    limits: dict[str, int]
    state: str
    entrants: int
    event: str
    commitment: str
    entrants_digest: str | None
    key: bytes | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    @property
    def ended(self) -> bool:
        """Whether nothing of it will be played any more."""
        return self.state in ENDED


def create_tournament(
    db: Database,
    owner: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    seats: int = 0,
    pairs: int = 0,
    limits: Mapping[str, int] | None = None,
    format: str = "",
    settings: Settings = PLAIN,
    *,
    rules_version: int | None = None,
) -> TournamentRow:
    """Create a tournament with its key and commitment; zeros and an empty format: the defaults.

    Without `rules_version` the game is looked up, which checks options and seats too.
    """
    check_name(name)
    if not 0 <= pairs <= MAX_PAIRS:
        raise InvalidError("pairs", f"1 to {MAX_PAIRS}")
    if not 0 <= settings.rounds <= MAX_ROUNDS:
        raise InvalidError("rounds", f"1 to {MAX_ROUNDS}")
    kind = formats.find(format or formats.DEFAULT)
    terms = agree(game, options, seats, limits, rules_version)
    tournament = Tournament(
        owner=owner,
        name=name,
        format=format or formats.DEFAULT,
        game=terms.game,
        rules_version=terms.rules_version,
        options=terms.options,
        seats=terms.seats,
        pairs=pairs or DEFAULT_PAIRS,
        rounds=settings.rounds,
        limits=terms.limits,
    )
    try:
        with db.write() as session:
            _check_room(session, owner)
            checked = check(session, tournament.format, kind, terms.game, terms.seats, settings)
            tournament.settings = checked.to_plain()
            session.add(tournament)
            session.flush()
            session.add(open_event(terms.limits, tournament=tournament.id))
            session.flush()
            return _show(session, tournament.id)
    except IntegrityError as error:
        raise ConflictError(f"the name {name!r} is taken; choose another") from error


def enter(db: Database, tournament: str, bot: str, version: int = 0) -> Entered:
    """Enter a bot (by id); at the start its newest active version takes part, or this `version`."""
    with db.write() as session:
        row = _open(session, tournament)
        check_size(row, entries.others(session, row, bot, version) + 1)
        return entries.enter(session, row, bot, version)


def leave(db: Database, tournament: str, bot: str) -> None:
    """Take a bot (by id) out while entries are open."""
    with db.write() as session:
        entries.leave(session, _open(session, tournament), bot)


def show(db: Database, tournament: str) -> TournamentRow:
    """A tournament by id or name; raises NotFoundError."""
    with db.read() as session:
        return _show(session, find(session, Tournament, tournament).id)


def all_tournaments(db: Database, limit: int | None = None, offset: int = 0) -> list[TournamentRow]:
    """Every tournament, the newest first, or at most `limit` of them."""
    newest = _joined().order_by(col(Tournament.created_at).desc(), col(Tournament.name))
    with db.read() as session:
        return [_row(*found) for found in session.execute(newest.limit(limit).offset(offset))]


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

    Locks the account.

    Cancelled tournaments count: their plan stays.
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


def _open(session: Session, tournament: str) -> Tournament:
    """A tournament that takes entries, with its event locked: entries come one after another."""
    row = find(session, Tournament, tournament)
    event = session.scalars(
        select(Event).where(col(Event.tournament) == row.id).with_for_update(key_share=True)
    ).one()
    if event.state != EventState.OPEN:
        raise ConflictError(f"the entries of {row.name} are closed: it is {event.state}")
    return row


def _check_room(session: Session, owner: str) -> None:
    lock_account(session, owner)
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


def _joined() -> Select[Tournament, Account, Event, int, int]:
    entered = (
        select(func.count())
        .where(col(TournamentEntry.tournament) == col(Tournament.id), col(TournamentEntry.active))
        .scalar_subquery()
    )
    played = select(func.count()).where(col(Entrant.event) == col(Event.id)).scalar_subquery()
    return (
        select(Tournament, Account, Event, entered, played)
        .join(Account, col(Tournament.owner) == col(Account.id))
        .join(Event, col(Event.tournament) == col(Tournament.id))
    )


def _show(session: Session, tournament: str) -> TournamentRow:
    return _row(*session.execute(_joined().where(col(Tournament.id) == tournament)).one())


def _row(
    tournament: Tournament, owner: Account, event: Event, entered: int, played: int
) -> TournamentRow:
    return TournamentRow(
        id=tournament.id,
        name=tournament.name,
        owner_id=owner.id,
        owner=owner.name,
        format=tournament.format,
        game=tournament.game,
        rules_version=tournament.rules_version,
        options=tournament.options,
        seats=tournament.seats,
        pairs=tournament.pairs,
        rounds=tournament.rounds,
        limits=tournament.limits,
        state=event.state,
        entrants=entered if event.closed_at is None else played,
        event=event.id,
        commitment=event.commitment,
        entrants_digest=event.entrants_digest,
        key=event.key if event.state in ENDED else None,
        created_at=tournament.created_at,
        started_at=event.closed_at,
        ended_at=event.completed_at,
    )
