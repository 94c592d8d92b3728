"""Ladders: who plays on them and when their next slot is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.scheduling.clock import next_due
from arena_service.store import entries, finals, requests
from arena_service.store.accounts import lock_account
from arena_service.store.competitions import find, open_event
from arena_service.store.database import Database
from arena_service.store.entries import MAX_ENTRIES, Entered
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.names import check_name
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.states import EventState, now_utc
from arena_service.store.tables import Account, Event, Ladder, LadderEntry
from arena_service.store.terms import agree

DEFAULT_PAIRS = 5
MAX_PAIRS = 100
MAX_LADDERS_OF_AN_OWNER = 50


@dataclass(frozen=True)
class LadderRow:
    """A ladder; `slot` is the number of the one whose entries are open, with its `commitment`.

    `final` is the name of its final run while that is on its way, else empty.
    """

    id: str
    name: str
    owner_id: str
    owner: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    cron: str
    timezone: str
    pairs_per_slot: int
    limits: dict[str, int]
    slot: int
    next_due: datetime
    commitment: str
    entrants: int
    final: str


def create_ladder(
    db: Database,
    owner: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    seats: int,
    cron: str,
    timezone: str,
    pairs_per_slot: int = 0,
    limits: Mapping[str, int] | None = None,
    *,
    asked: Asked = UNNAMED,
    rules_version: int | None = None,
    now: datetime | None = None,
) -> LadderRow:
    """Create a ladder with its first slot's key and commitment; zeros mean the defaults.

    Without `rules_version` the game is looked up, which checks options and seats too. Who has
    `asked` for it before gets the one that was made then.
    """
    check_name(name)
    pairs = pairs_per_slot or DEFAULT_PAIRS
    if not 1 <= pairs <= MAX_PAIRS:
        raise InvalidError("pairs_per_slot", f"1 to {MAX_PAIRS}")
    terms = agree(game, options, seats, limits, rules_version)
    due = next_due(cron, timezone, now or now_utc())
    ladder = Ladder(
        owner=owner,
        name=name,
        game=terms.game,
        rules_version=terms.rules_version,
        options=terms.options,
        seats=terms.seats,
        cron=cron,
        timezone=timezone,
        pairs_per_slot=pairs,
        limits=terms.limits,
        next_due=due,
    )
    try:
        with db.write() as session:
            return _created(session, ladder, asked)
    except IntegrityError as error:
        raise ConflictError(f"the name {name!r} is taken; choose another") from error


def _created(session: Session, ladder: Ladder, asked: Asked) -> LadderRow:
    """The ladder, stored with its first slot; or the one that was made before."""
    owner = ladder.owner
    lock_account(session, owner)
    if before := requests.made_before(session, owner, asked):
        return _show(session, before)
    _check_room(session, owner)
    session.add(ladder)
    session.flush()
    session.add(new_slot(ladder, 1))
    requests.keep(session, owner, asked, ladder.id)
    session.flush()
    return _show(session, ladder.id)


def new_slot(ladder: Ladder, number: int) -> Event:
    """A slot with open entries."""
    return open_event(ladder.limits, ladder=ladder.id, slot=number)


def enter(db: Database, ladder: str, bot: str) -> Entered:
    """Enter a bot (by id); from now on its newest active version takes part, if it plays the game.

    A bot whose first version is still checked may be entered; raises ConflictError for one whose
    versions all failed, and during a final run.
    """
    with db.write() as session:
        row = _locked(session, ladder)
        finals.check_none(session, row)
        if entries.others(session, row, bot) >= MAX_ENTRIES:
            raise ConflictError(f"a ladder has at most {MAX_ENTRIES} entries")
        return entries.enter(session, row, bot)


def leave(db: Database, ladder: str, bot: str) -> None:
    """Take a bot (by id) out; matches that are planned are still played."""
    with db.write() as session:
        entries.leave(session, find(session, Ladder, ladder), bot)


def run_now(db: Database, ladder: str, now: datetime | None = None) -> LadderRow:
    """Make the open slot due.

    Raises ConflictError when too few bots are entered for a match, and during a final run.
    """
    moment = now or now_utc()
    with db.write() as session:
        row = find(session, Ladder, ladder)
        finals.check_none(session, row)
        if len(entries.entrants(session, row)) < row.seats:
            raise ConflictError(f"a slot needs at least {row.seats} entered bots that are active")
        session.execute(
            update(Ladder)
            .where(col(Ladder.id) == row.id, col(Ladder.next_due) > moment)
            .values(next_due=moment)
        )
        return _show(session, row.id)


def show(db: Database, ladder: str) -> LadderRow:
    """A ladder by id or name; raises NotFoundError."""
    with db.read() as session:
        return _show(session, find(session, Ladder, ladder).id)


def all_ladders(db: Database, limit: int | None = None, offset: int = 0) -> list[LadderRow]:
    """Every ladder, by name, or at most `limit` of them."""
    by_name = _joined().order_by(col(Ladder.name)).limit(limit).offset(offset)
    with db.read() as session:
        return [_row(*found) for found in session.execute(by_name)]


def _check_room(session: Session, owner: str) -> None:
    count = session.scalar(select(func.count()).where(col(Ladder.owner) == owner)) or 0
    if count >= MAX_LADDERS_OF_AN_OWNER:
        raise ConflictError(
            f"an account has at most {MAX_LADDERS_OF_AN_OWNER} ladders; use one of yours"
        )


def _locked(session: Session, ladder: str) -> Ladder:
    """A ladder, locked: entries come one after another."""
    row = find(session, Ladder, ladder)
    session.refresh(row, with_for_update={"key_share": True})
    return row


def _joined() -> Select[Ladder, Account, Event, int, str | None]:
    entered = (
        select(func.count())
        .where(col(LadderEntry.ladder) == col(Ladder.id), col(LadderEntry.active))
        .scalar_subquery()
    )
    return (
        select(Ladder, Account, Event, entered, finals.of_ladder().scalar_subquery())
        .join(Account, col(Ladder.owner) == col(Account.id))
        .join(Event, col(Event.ladder) == col(Ladder.id))
        .where(col(Event.state) == EventState.OPEN)
    )


def _show(session: Session, ladder: str) -> LadderRow:
    return _row(*session.execute(_joined().where(col(Ladder.id) == ladder)).one())


def _row(ladder: Ladder, owner: Account, slot: Event, entered: int, final: str | None) -> LadderRow:
    return LadderRow(
        id=ladder.id,
        name=ladder.name,
        owner_id=owner.id,
        owner=owner.name,
        game=ladder.game,
        rules_version=ladder.rules_version,
        options=ladder.options,
        seats=ladder.seats,
        cron=ladder.cron,
        timezone=ladder.timezone,
        pairs_per_slot=ladder.pairs_per_slot,
        limits=ladder.limits,
        slot=slot.slot or 0,
        next_due=ladder.next_due,
        commitment=slot.commitment,
        entrants=entered,
        final=final or "",
    )
