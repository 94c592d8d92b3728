"""Bots and their immutable versions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.accounts import NAME
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.tables import Account, Artifact, Bot, BotVersion
from bots.manifest import Manifest

MAX_ARCHIVE_BYTES = 16 * 2**20
MAX_BOTS_OF_AN_OWNER = 200
MAX_VERSIONS_OF_A_BOT = 1000


@dataclass(frozen=True)
class BotVersionRow:
    """A version with the names a person knows it by; `created`: submitted by this very call."""

    id: str
    bot_id: str
    bot: str
    owner_id: str
    owner: str
    version: int
    sha256: str
    games: tuple[str, ...]
    created_at: datetime
    created: bool = False


def submit(
    db: Database, owner: str, name: str, archive: bytes, manifest: Manifest
) -> BotVersionRow:
    """Store a checked archive as the newest version; the same files again give the one there is."""
    if not NAME.fullmatch(name):
        raise InvalidError("name", "1 to 40 lower-case letters, digits and hyphens")
    if len(archive) > MAX_ARCHIVE_BYTES:
        raise InvalidError("archive", f"at most {MAX_ARCHIVE_BYTES} bytes")
    sha256 = hashlib.sha256(archive).hexdigest()
    try:
        return _submit(db, owner, name, archive, sha256, manifest)
    except IntegrityError:  # another account stored the same archive at the same moment
        return _submit(db, owner, name, archive, sha256, manifest)


def _submit(
    db: Database, owner: str, name: str, archive: bytes, sha256: str, manifest: Manifest
) -> BotVersionRow:
    with db.write() as session:
        # Locked: submissions of one account happen one after another, so numbers have no gaps.
        account = session.get_one(Account, owner, with_for_update=True)
        bot = _bot(session, owner, name)
        known = session.scalar(
            select(BotVersion).where(
                col(BotVersion.bot) == bot.id, col(BotVersion.sha256) == sha256
            )
        )
        if known is None:
            if session.get(Artifact, sha256) is None:
                session.add(Artifact(sha256=sha256, content=archive, size=len(archive)))
                session.flush()
            version = _new_version(session, bot, sha256, manifest)
        else:
            version = known
        return _row(version, bot, account, created=known is None)


def _bot(session: Session, owner: str, name: str) -> Bot:
    mine = select(Bot).where(col(Bot.owner) == owner)
    bot = session.scalar(mine.where(col(Bot.name) == name))
    if bot is not None:
        return bot
    count = session.scalar(select(func.count()).select_from(mine.subquery())) or 0
    if count >= MAX_BOTS_OF_AN_OWNER:
        raise ConflictError(f"an account has at most {MAX_BOTS_OF_AN_OWNER} bots")
    bot = Bot(owner=owner, name=name)
    session.add(bot)
    session.flush()
    return bot


def _new_version(session: Session, bot: Bot, sha256: str, manifest: Manifest) -> BotVersion:
    newest = session.scalar(
        select(func.max(col(BotVersion.number))).where(col(BotVersion.bot) == bot.id)
    )
    if (newest or 0) >= MAX_VERSIONS_OF_A_BOT:
        raise ConflictError(f"a bot has at most {MAX_VERSIONS_OF_A_BOT} versions")
    version = BotVersion(
        bot=bot.id,
        number=(newest or 0) + 1,
        sha256=sha256,
        games=list(manifest.games),
        run=list(manifest.run),
        protocol=manifest.protocol,
    )
    session.add(version)
    session.flush()
    return version


def of_owner(db: Database, owner: str) -> list[BotVersionRow]:
    """Every version of the bots of an account, by name, the newest first."""
    order = (col(Bot.name), col(BotVersion.number).desc())
    with db.read() as session:
        found = session.execute(_joined().where(col(Bot.owner) == owner).order_by(*order))
        return [_row(*row) for row in found]


def version(db: Database, version_id: str) -> BotVersionRow:
    """One version; raises NotFoundError."""
    with db.read() as session:
        found = session.execute(_joined().where(col(BotVersion.id) == version_id)).first()
        if found is None:
            raise NotFoundError("bot version", version_id)
        return _row(*found)


def artifact(db: Database, sha256: str) -> bytes:
    """The archive with this hash; raises NotFoundError."""
    with db.read() as session:
        found = session.get(Artifact, sha256)
        if found is None:
            raise NotFoundError("artifact", sha256)
        return found.content


def artifact_pieces(db: Database, sha256: str, size: int) -> Iterator[bytes]:
    """The archive with this hash in pieces of `size` bytes, each read when it is asked for."""
    start = 1  # databases count from 1
    while piece := _artifact_piece(db, sha256, start, size):
        yield piece
        start += size


def _artifact_piece(db: Database, sha256: str, start: int, size: int) -> bytes | None:
    piece = func.substr(col(Artifact.content), start, size)
    with db.read() as session:
        return session.scalar(select(piece).where(col(Artifact.sha256) == sha256))


def _joined() -> Select[BotVersion, Bot, Account]:
    return (
        select(BotVersion, Bot, Account)
        .join(Bot, col(BotVersion.bot) == col(Bot.id))
        .join(Account, col(Bot.owner) == col(Account.id))
    )


def _row(version: BotVersion, bot: Bot, owner: Account, created: bool = False) -> BotVersionRow:
    return BotVersionRow(
        id=version.id,
        bot_id=bot.id,
        bot=bot.name,
        owner_id=owner.id,
        owner=owner.name,
        version=version.number,
        sha256=version.sha256,
        games=tuple(version.games),
        created_at=version.created_at,
        created=created,
    )
