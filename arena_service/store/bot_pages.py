"""What pages tell of bots: everybody's, one of them, and its versions with their checks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.match_rows import MatchRow, match_rows
from arena_service.store.states import MatchKind
from arena_service.store.tables import (
    Account,
    Bot,
    BotVersion,
    Event,
    Ladder,
    LadderEntry,
    Match,
    MatchSeat,
    Result,
    SeatResult,
    Tournament,
    TournamentEntry,
)

MAX_PAGE = 500
MAX_CHECKS = 20


@dataclass(frozen=True)
class Record:
    """Finished rated matches: won, drawn, lost, and those lost by a fault of the bot's own."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0


@dataclass(frozen=True)
class VersionPage:
    """One upload and how it fared; `reason` is for its author."""

    id: str
    number: int
    games: tuple[str, ...]
    sha256: str
    state: str
    reason: str
    state_since: datetime
    created_at: datetime
    record: Record


@dataclass(frozen=True)
class BotPage:
    """A bot with its versions, the newest first; there is at least one."""

    id: str
    name: str
    owner_id: str
    owner: str
    versions: tuple[VersionPage, ...]


@dataclass(frozen=True)
class Place:
    """Where a bot is entered: `kind` is ladder or tournament."""

    kind: str
    id: str
    name: str
    game: str


def all_bots(
    db: Database, owner_id: str | None = None, limit: int = 50, offset: int = 0
) -> list[BotPage]:
    """Bots by owner and name, all of them or those of one account."""
    chosen = select(Bot, col(Account.name)).join(Account, col(Bot.owner) == col(Account.id))
    if owner_id is not None:
        chosen = chosen.where(col(Bot.owner) == owner_id)
    order = (col(Account.name), col(Bot.name))
    page = chosen.order_by(*order).limit(min(max(limit, 0), MAX_PAGE)).offset(max(offset, 0))
    with db.read() as session:
        return _pages(session, page)


def bot_page(db: Database, bot: str) -> BotPage:
    """One bot by its id or as `owner/name`; raises NotFoundError."""
    owner, _, name = bot.partition("/")
    wanted = select(Bot, col(Account.name)).join(Account, col(Bot.owner) == col(Account.id))
    named = (col(Account.name) == owner) & (col(Bot.name) == name)
    with db.read() as session:
        found = _pages(session, wanted.where(named if name else col(Bot.id) == bot))
    if not found:
        raise NotFoundError("bot", bot)
    return found[0]


def places(db: Database, bot_id: str) -> list[Place]:
    """Where a bot is entered now, by name: ladders first, then tournaments."""
    ladders = (
        select(col(Ladder.id), col(Ladder.name), col(Ladder.game))
        .join(LadderEntry, col(LadderEntry.ladder) == col(Ladder.id))
        .where(col(LadderEntry.bot) == bot_id, col(LadderEntry.active))
        .order_by(col(Ladder.name))
    )
    tournaments = (
        select(col(Tournament.id), col(Tournament.name), col(Tournament.game))
        .join(TournamentEntry, col(TournamentEntry.tournament) == col(Tournament.id))
        .where(col(TournamentEntry.bot) == bot_id, col(TournamentEntry.active))
        .order_by(col(Tournament.name))
    )
    with db.read() as session:
        return [
            Place(kind, *row)
            for kind, statement in (("ladder", ladders), ("tournament", tournaments))
            for row in session.execute(statement)
        ]


def checks(db: Database, version_id: str) -> list[MatchRow]:
    """The check matches of a version, the newest first. The caller asks `access.may`."""
    seated = select(col(MatchSeat.match)).where(col(MatchSeat.bot_version) == version_id)
    newest = (
        select(col(Match.id))
        .where(col(Match.kind) == MatchKind.CHECK, col(Match.id).in_(seated))
        .order_by(col(Match.created_at).desc(), col(Match.position))
        .limit(MAX_CHECKS)
    )
    with db.read() as session:
        return match_rows(session, list(session.scalars(newest)))


def bot_ids(db: Database, version_ids: list[str]) -> dict[str, str]:
    """The bot of each version."""
    wanted = select(col(BotVersion.id), col(BotVersion.bot)).where(
        col(BotVersion.id).in_(version_ids)
    )
    with db.read() as session:
        return dict(session.execute(wanted).all())


def _pages(session: Session, chosen: Any) -> list[BotPage]:
    bots = session.execute(chosen).all()
    ids = [bot.id for bot, _owner in bots]
    newest_first = (
        select(BotVersion)
        .where(col(BotVersion.bot).in_(ids))
        .order_by(col(BotVersion.bot), col(BotVersion.number).desc())
    )
    versions: dict[str, list[BotVersion]] = {bot: [] for bot in ids}
    for version in session.scalars(newest_first):
        versions[version.bot].append(version)
    records = _records(session, [each.id for rows in versions.values() for each in rows])
    return [
        BotPage(
            id=bot.id,
            name=bot.name,
            owner_id=bot.owner,
            owner=owner,
            versions=tuple(
                _version(each, records.get(each.id, Record())) for each in versions[bot.id]
            ),
        )
        for bot, owner in bots
        if versions[bot.id]
    ]


def _version(row: BotVersion, record: Record) -> VersionPage:
    return VersionPage(
        id=row.id,
        number=row.number,
        games=tuple(row.games),
        sha256=row.sha256,
        state=row.state,
        reason=row.reason,
        state_since=row.state_since,
        created_at=row.created_at,
        record=record,
    )


def _records(session: Session, versions: list[str]) -> dict[str, Record]:
    """Counted over every seat of a rated match with a credit; a half is a draw."""
    credit, own_fault = col(SeatResult.credit), col(Result.at_fault) == col(MatchSeat.seat)

    def count(condition: Any) -> Any:
        return func.count().filter(condition)

    counted = (
        select(
            col(MatchSeat.bot_version),
            count(credit > 0.5),
            count(credit == 0.5),
            count(credit < 0.5),
            count(own_fault & (col(Result.ending) != "resigned")),
        )
        .join(Match, col(Match.id) == col(MatchSeat.match))
        .join(Event, col(Event.id) == col(Match.event))
        .join(Result, col(Result.match) == col(MatchSeat.match))
        .join(
            SeatResult,
            (col(SeatResult.match) == col(MatchSeat.match))
            & (col(SeatResult.seat) == col(MatchSeat.seat)),
        )
        .where(col(MatchSeat.bot_version).in_(versions), col(Match.kind) == MatchKind.RATED)
        .group_by(col(MatchSeat.bot_version))
    )
    return {version: Record(*counts) for version, *counts in session.execute(counted)}
