"""What pages tell of bots: everybody's, one of them, and its versions with their checks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select
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
    Ladder,
    LadderEntry,
    Match,
    MatchSeat,
    Tournament,
    TournamentEntry,
)

MAX_PAGE = 500
MAX_CHECKS = 20


@dataclass(frozen=True)
class Record:
    """Finished rated matches: won, drawn, lost, and those ended by the bot's own fault."""

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


def all_bots(db: Database, limit: int = 50, offset: int = 0) -> list[BotPage]:
    """Bots by owner and name, at most MAX_PAGE."""
    order = (col(Account.name), col(Bot.name))
    page = (
        select(Bot, col(Account.name))
        .join(Account, col(Bot.owner) == col(Account.id))
        .order_by(*order)
        .limit(min(max(limit, 0), MAX_PAGE))
        .offset(max(offset, 0))
    )
    with db.read() as session:
        return _pages(session, page)


def bots_of(db: Database, owner_id: str) -> list[BotPage]:
    """The bots of an account by name, at most MAX_PAGE."""
    own = (
        select(Bot, col(Account.name))
        .join(Account, col(Bot.owner) == col(Account.id))
        .where(col(Bot.owner) == owner_id)
    )
    with db.read() as session:
        return _pages(session, own.order_by(col(Bot.name)).limit(MAX_PAGE))


def bot_page(db: Database, bot: str) -> BotPage:
    """One bot by its id or as `owner/name`; raises NotFoundError."""
    wanted = select(Bot, col(Account.name)).join(Account, col(Bot.owner) == col(Account.id))
    with db.read() as session:
        found = _pages(session, wanted.where(_called(bot)))
        if not found:
            raise NotFoundError("bot", bot)
        return found[0]


def bot_id(db: Database, bot: str) -> str:
    """The id of a bot given as `bot_page` takes it; raises NotFoundError."""
    wanted = select(col(Bot.id)).join(Account, col(Bot.owner) == col(Account.id))
    with db.read() as session:
        found = session.scalar(wanted.where(_called(bot)))
    if found is None:
        raise NotFoundError("bot", bot)
    return found


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
        .distinct()  # it may be entered with several versions
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


def _called(bot: str) -> ColumnElement[bool]:
    owner, _, name = bot.partition("/")
    named = (col(Account.name) == owner) & (col(Bot.name) == name)
    return named if name else col(Bot.id) == bot


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
    return [
        BotPage(
            id=bot.id,
            name=bot.name,
            owner_id=bot.owner,
            owner=owner,
            versions=tuple(map(_version, versions[bot.id])),
        )
        for bot, owner in bots
        if versions[bot.id]
    ]


def _version(row: BotVersion) -> VersionPage:
    return VersionPage(
        id=row.id,
        number=row.number,
        games=tuple(row.games),
        sha256=row.sha256,
        state=row.state,
        reason=row.reason,
        state_since=row.state_since,
        created_at=row.created_at,
        record=Record(row.wins, row.draws, row.losses, row.faults),
    )
