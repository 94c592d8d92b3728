"""Ladders: who plays on them and when their next slot is due."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.scheduling.clock import next_due
from arena_service.store.accounts import lock_account
from arena_service.store.database import Database, changed
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.states import EventState, now_utc
from arena_service.store.tables import Account, BotVersion, Event, Ladder, LadderEntry
from arena_service.store.versions import newest_versions, version_to_enter
from engine_service.catalogue import game as find_game
from engine_service.core.seeds import commitment

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
DEFAULT_PAIRS = 5
MAX_PAIRS = 100
MAX_ENTRIES = 200
MAX_LADDERS_OF_AN_OWNER = 50
DEFAULT_LIMITS = {"start_cpu_ms": 5000, "move_cpu_ms": 200, "bank_cpu_ms": 2000}
MAX_LIMITS = {"start_cpu_ms": 30_000, "move_cpu_ms": 10_000, "bank_cpu_ms": 300_000}
KEY_BYTES = 32


@dataclass(frozen=True)
class LadderRow:
    """A ladder; `slot` is the number of the one whose entries are open, with its `commitment`."""

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


@dataclass(frozen=True)
class Entered:
    """The version that a ladder plays for a bot, once it is active."""

    version_id: str
    version: int
    state: str


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
    rules_version: int | None = None,
    now: datetime | None = None,
) -> LadderRow:
    """Create a ladder with its first slot's key and commitment; zeros mean the defaults.

    Without `rules_version` the game is looked up, which checks options and seats too.
    """
    if not NAME.fullmatch(name):
        raise InvalidError("name", "1 to 40 lower-case letters, digits and hyphens")
    pairs = pairs_per_slot or DEFAULT_PAIRS
    if not 1 <= pairs <= MAX_PAIRS:
        raise InvalidError("pairs_per_slot", f"1 to {MAX_PAIRS}")
    if rules_version is None:
        found = find_game(game)
        rules_version, seats = found.rules_version, seats or min(found.seat_counts)
        options = found.parse_options(options).to_plain()
        if seats not in found.seat_counts:
            raise InvalidError("seats", f"one of {list(found.seat_counts)}")
    due = next_due(cron, timezone, now or now_utc())
    ladder = Ladder(
        owner=owner,
        name=name,
        game=game,
        rules_version=rules_version,
        options=dict(options),
        seats=seats,
        cron=cron,
        timezone=timezone,
        pairs_per_slot=pairs,
        limits=limits_of(limits or {}),
        next_due=due,
    )
    try:
        with db.write() as session:
            _check_room(session, owner)
            session.add(ladder)
            session.flush()
            session.add(new_slot(ladder, 1))
            session.flush()
            return _show(session, ladder.id)
    except IntegrityError as error:
        raise ConflictError(f"the name {name!r} is taken") from error


def new_slot(ladder: Ladder, number: int) -> Event:
    """A slot with open entries: its key is secret, its commitment public from now on."""
    key = secrets.token_bytes(KEY_BYTES)
    return Event(
        ladder=ladder.id, slot=number, key=key, commitment=commitment(key), limits=ladder.limits
    )


def enter(db: Database, ladder: str, bot: str) -> Entered:
    """Enter a bot (by id); from now on its newest active version takes part, if it plays the game.

    A bot whose first version is still checked may be entered; raises ConflictError for one whose
    versions all failed.
    """
    with db.write() as session:
        row = _locked(session, ladder)
        version = version_to_enter(session, bot, row.game)
        active = select(func.count()).where(
            col(LadderEntry.ladder) == row.id,
            col(LadderEntry.active),
            col(LadderEntry.bot) != bot,
        )
        if (session.scalar(active) or 0) >= MAX_ENTRIES:
            raise ConflictError(f"a ladder has at most {MAX_ENTRIES} entries")
        session.merge(LadderEntry(ladder=row.id, bot=bot, active=True))
        return Entered(version.id, version.number, version.state)


def leave(db: Database, ladder: str, bot: str) -> None:
    """Take a bot (by id) out; matches that are planned are still played."""
    with db.write() as session:
        row = _ladder(session, ladder)
        statement = (
            update(LadderEntry)
            .where(
                col(LadderEntry.ladder) == row.id,
                col(LadderEntry.bot) == bot,
                col(LadderEntry.active),
            )
            .values(active=False, changed_at=now_utc())
        )
        if changed(session, statement) == 0:
            raise NotFoundError("entry", bot)


def run_now(db: Database, ladder: str, now: datetime | None = None) -> LadderRow:
    """Make the open slot due; raises ConflictError when too few bots are entered for a match."""
    moment = now or now_utc()
    with db.write() as session:
        row = _ladder(session, ladder)
        if len(entrants(session, row)) < row.seats:
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
        return _show(session, _ladder(session, ladder).id)


def all_ladders(db: Database) -> list[LadderRow]:
    """Every ladder, by name."""
    with db.read() as session:
        return [_row(*found) for found in session.execute(_joined().order_by(col(Ladder.name)))]


def entrants(session: Session, ladder: Ladder) -> list[BotVersion]:
    """The newest active version of every entry, if it fits, in the order of the bots' ids."""
    active = select(col(LadderEntry.bot)).where(
        col(LadderEntry.ladder) == ladder.id, col(LadderEntry.active)
    )
    bots = list(session.scalars(active))
    newest = session.scalars(newest_versions(bots))
    return [version for version in newest if ladder.game in version.games]


def limits_of(wanted: Mapping[str, int]) -> dict[str, int]:
    """The clocks of a match, zeros as the defaults; raises InvalidError."""
    limits = dict(DEFAULT_LIMITS)
    for name, value in wanted.items():
        if name not in limits:
            raise InvalidError(name, f"only the limits {', '.join(limits)}")
        if not 0 <= value <= MAX_LIMITS[name]:
            raise InvalidError(name, f"0 to {MAX_LIMITS[name]}")
        limits[name] = value or limits[name]
    return limits


def _check_room(session: Session, owner: str) -> None:
    lock_account(session, owner)
    count = session.scalar(select(func.count()).where(col(Ladder.owner) == owner)) or 0
    if count >= MAX_LADDERS_OF_AN_OWNER:
        raise ConflictError(f"an account has at most {MAX_LADDERS_OF_AN_OWNER} ladders")


def _ladder(session: Session, ladder: str) -> Ladder:
    found = session.scalar(
        select(Ladder)
        .where((col(Ladder.id) == ladder) | (col(Ladder.name) == ladder))
        .order_by(col(Ladder.id) != ladder)
    )
    if found is None:
        raise NotFoundError("ladder", ladder)
    return found


def _locked(session: Session, ladder: str) -> Ladder:
    """A ladder, locked: entries come one after another."""
    row = _ladder(session, ladder)
    session.refresh(row, with_for_update={"key_share": True})
    return row


def _joined() -> Select[Ladder, Account, Event, int]:
    entries = (
        select(func.count())
        .where(col(LadderEntry.ladder) == col(Ladder.id), col(LadderEntry.active))
        .scalar_subquery()
    )
    return (
        select(Ladder, Account, Event, entries)
        .join(Account, col(Ladder.owner) == col(Account.id))
        .join(Event, col(Event.ladder) == col(Ladder.id))
        .where(col(Event.state) == EventState.OPEN)
    )


def _show(session: Session, ladder: str) -> LadderRow:
    return _row(*session.execute(_joined().where(col(Ladder.id) == ladder)).one())


def _row(ladder: Ladder, owner: Account, slot: Event, entries: int) -> LadderRow:
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
        entrants=entries,
    )
