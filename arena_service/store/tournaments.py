"""Tournaments: one event each, that bots enter until it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.formats import catalogue as formats
from arena_service.formats.format import Format
from arena_service.store import entries, requests
from arena_service.store.accounts import lock_account
from arena_service.store.bounds import MAX_PAIRS, MAX_ROUNDS, check_room, check_size
from arena_service.store.competitions import find, open_event
from arena_service.store.database import Database
from arena_service.store.entries import Entered
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.names import check_name
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.settings import PLAIN, Settings, check
from arena_service.store.states import ENDED, EventState
from arena_service.store.tables import (
    Account,
    Entrant,
    Event,
    Ladder,
    Tournament,
    TournamentEntry,
)
from arena_service.store.terms import agree
from arena_service.webhooks.addresses import check_url
from arena_service.webhooks.posting import new_secret

DEFAULT_PAIRS = 5


@dataclass(frozen=True)
class TournamentRow:
    """A tournament with its event; `key` is there once it has ended.

    `ladder` is the name of the ladder whose final run it is; empty: it is none.
    """

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
    ladder: str

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
    webhook_url: str = "",
    asked: Asked = UNNAMED,
    rules_version: int | None = None,
) -> TournamentRow:
    """Create a tournament with its key and commitment; zeros and an empty format: the defaults.

    Without `rules_version` the game is looked up, which checks options and seats too. Who has
    `asked` for it before gets the one that was made then.
    """
    check_name(name)
    check_url(webhook_url)
    _check_counts(pairs, settings.rounds)
    kind = formats.offered(format or formats.DEFAULT)
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
        webhook_url=webhook_url,
        webhook_secret=new_secret(webhook_url),
    )
    try:
        with db.write() as session:
            return _created(session, tournament, kind, settings, asked)
    except IntegrityError as error:
        raise ConflictError(f"the name {name!r} is taken; choose another") from error


def _check_counts(pairs: int, rounds: int) -> None:
    if not 0 <= pairs <= MAX_PAIRS:
        raise InvalidError("pairs", f"1 to {MAX_PAIRS}")
    if not 0 <= rounds <= MAX_ROUNDS:
        raise InvalidError("rounds", f"1 to {MAX_ROUNDS}")


def _created(
    session: Session, tournament: Tournament, kind: Format, settings: Settings, asked: Asked
) -> TournamentRow:
    """The tournament, stored with its settings; or the one that was made before."""
    owner = tournament.owner
    lock_account(session, owner)
    if before := requests.made_before(session, owner, asked):
        return _show(session, before)
    check_room(session, owner)
    checked = check(session, tournament.format, kind, tournament.game, tournament.seats, settings)
    tournament.settings = checked.to_plain()
    add(session, tournament)
    requests.keep(session, owner, asked, tournament.id)
    return _show(session, tournament.id)


def add(session: Session, tournament: Tournament) -> Event:
    """Store a tournament with its event, whose key and commitment are made now."""
    session.add(tournament)
    session.flush()
    event = open_event(tournament.limits, tournament=tournament.id)
    session.add(event)
    session.flush()
    return event


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


def of(session: Session, tournament: Tournament) -> TournamentRow:
    """A tournament as it is seen within a transaction."""
    return _show(session, tournament.id)


def all_tournaments(
    db: Database, limit: int | None = None, offset: int = 0, *, challenges: bool = False
) -> list[TournamentRow]:
    """Every tournament, the newest first, or at most `limit`: none of the challenges, or these."""
    is_challenge = col(Tournament.format) == formats.CHALLENGE
    found = _joined().where(is_challenge if challenges else ~is_challenge)
    newest = found.order_by(col(Tournament.created_at).desc(), col(Tournament.name))
    with db.read() as session:
        return [_row(*found) for found in session.execute(newest.limit(limit).offset(offset))]


def _open(session: Session, tournament: str) -> Tournament:
    """A tournament that takes entries, with its event locked: entries come one after another."""
    row = find(session, Tournament, tournament)
    event = session.scalars(
        select(Event).where(col(Event.tournament) == row.id).with_for_update(key_share=True)
    ).one()
    if event.state != EventState.OPEN:
        raise ConflictError(f"the entries of {row.name} are closed: it is {event.state}")
    return row


def _joined() -> Select[Tournament, Account, Event, str | None, int, int]:
    entered = (
        select(func.count())
        .where(col(TournamentEntry.tournament) == col(Tournament.id), col(TournamentEntry.active))
        .scalar_subquery()
    )
    played = select(func.count()).where(col(Entrant.event) == col(Event.id)).scalar_subquery()
    return (
        select(Tournament, Account, Event, col(Ladder.name), entered, played)
        .join(Account, col(Tournament.owner) == col(Account.id))
        .join(Event, col(Event.tournament) == col(Tournament.id))
        .outerjoin(Ladder, col(Tournament.ladder) == col(Ladder.id))
    )


def _show(session: Session, tournament: str) -> TournamentRow:
    return _row(*session.execute(_joined().where(col(Tournament.id) == tournament)).one())


def _row(
    tournament: Tournament,
    owner: Account,
    event: Event,
    ladder: str | None,
    entered: int,
    played: int,
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
        ladder=ladder or "",
    )
