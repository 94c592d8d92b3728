"""Bots and their immutable versions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.quotas import DEFAULTS, Quotas
from arena_service.scheduling.checks import Check
from arena_service.store import checks as store_checks
from arena_service.store import finals, requests, usage
from arena_service.store.accounts import lock_account
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError, NotFoundError
from arena_service.store.names import check_name
from arena_service.store.requests import UNNAMED, Asked
from arena_service.store.states import VersionState, now_utc
from arena_service.store.tables import Account, Artifact, Bot, BotVersion
from arena_service.verdicts import disabled_by_owner
from bots.manifest import Manifest

MAX_ARCHIVE_BYTES = 16 * 2**20
MAX_BOTS_OF_AN_OWNER = 200
MAX_VERSIONS_OF_A_BOT = 1000


@dataclass(frozen=True)
class BotVersionRow:
    """A version with the names a person knows it by; `challenges`: others may challenge its bot.

    `created`: submitted by this very call, while the bot plays in the `finals` of these ladders.
    """

    id: str
    bot_id: str
    bot: str
    owner_id: str
    owner: str
    version: int
    sha256: str
    games: tuple[str, ...]
    state: str
    reason: str
    created_at: datetime
    challenges: bool
    created: bool = False
    finals: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Upload:
    """What somebody submits."""

    owner: str
    name: str
    archive: bytes
    sha256: str
    manifest: Manifest
    checks: Sequence[Check]
    asked: Asked


def submit(
    db: Database,
    owner: str,
    name: str,
    archive: bytes,
    manifest: Manifest,
    checks: Sequence[Check],
    quotas: Quotas = DEFAULTS,
    asked: Asked = UNNAMED,
) -> BotVersionRow:
    """Store an archive as the newest version, which plays once it comes through `checks`.

    The same files again give the version there is, whatever its state; so does what was `asked`
    for before, as the version that it created. Raises QuotaError.
    """
    check_name(name)
    if len(archive) > MAX_ARCHIVE_BYTES:
        raise InvalidError("archive", f"at most {MAX_ARCHIVE_BYTES} bytes")
    sha256 = hashlib.sha256(archive).hexdigest()
    upload = _Upload(owner, name, archive, sha256, manifest, checks, asked)
    try:
        return _submit(db, upload, quotas)
    except IntegrityError:  # another account stored the same archive at the same moment
        return _submit(db, upload, quotas)


def _submit(db: Database, upload: _Upload, quotas: Quotas) -> BotVersionRow:
    with db.write() as session:
        account = lock_account(session, upload.owner)
        if before := requests.made_before(session, upload.owner, upload.asked):
            return _row(*_one(session, before), created=True)
        bot = _bot(session, upload.owner, upload.name)
        known = session.scalar(
            select(BotVersion).where(
                col(BotVersion.bot) == bot.id, col(BotVersion.sha256) == upload.sha256
            )
        )
        if known is not None:
            return _row(known, bot, account)
        version = _created(session, bot, upload, quotas)
        requests.keep(session, upload.owner, upload.asked, version.id)
        row = _row(version, bot, account, created=True)
        return replace(row, finals=tuple(finals.played_by(session, bot.id)))


def _created(session: Session, bot: Bot, upload: _Upload, quotas: Quotas) -> BotVersion:
    """The upload as a version, with its check planned."""
    now = now_utc()
    usage.check_versions(session, upload.owner, quotas, now)
    usage.check_active_bots(session, upload.owner, bot.id, quotas)
    if session.get(Artifact, upload.sha256) is None:
        content = upload.archive
        session.add(Artifact(sha256=upload.sha256, content=content, size=len(content)))
        session.flush()
    version = _new_version(session, bot, upload.sha256, upload.manifest)
    store_checks.begin(session, upload.owner, version, upload.checks, quotas, now)
    return version


def _bot(session: Session, owner: str, name: str) -> Bot:
    mine = select(Bot).where(col(Bot.owner) == owner)
    bot = session.scalar(mine.where(col(Bot.name) == name))
    if bot is not None:
        return bot
    count = session.scalar(select(func.count()).select_from(mine.subquery())) or 0
    if count >= MAX_BOTS_OF_AN_OWNER:
        raise ConflictError(
            f"an account has at most {MAX_BOTS_OF_AN_OWNER} bots; submit a version of one of them"
        )
    bot = Bot(owner=owner, name=name)
    session.add(bot)
    session.flush()
    return bot


def _new_version(session: Session, bot: Bot, sha256: str, manifest: Manifest) -> BotVersion:
    newest = session.scalar(
        select(func.max(col(BotVersion.number))).where(col(BotVersion.bot) == bot.id)
    )
    if (newest or 0) >= MAX_VERSIONS_OF_A_BOT:
        raise ConflictError(
            f"a bot has at most {MAX_VERSIONS_OF_A_BOT} versions; go on under another name"
        )
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


def check_again(
    db: Database, version_id: str, checks: Sequence[Check], quotas: Quotas = DEFAULTS
) -> BotVersionRow:
    """Let a version that failed or was taken out play its check matches once more.

    Raises ConflictError when it is active, or QuotaError.
    """
    with db.write() as session:
        version, bot, account = _one(session, version_id)
        lock_account(session, account.id)
        session.refresh(version)
        if version.state == VersionState.ACTIVE:
            raise ConflictError(f"version {version.number} of {bot.name} is active already")
        if version.state != VersionState.CHECKING:
            usage.check_active_bots(session, account.id, bot.id, quotas)
            store_checks.begin(session, account.id, version, checks, quotas, now_utc())
        return _row(version, bot, account)


def disable(db: Database, version_id: str) -> BotVersionRow:
    """Take a version out for its owner; matches that are planned are still played."""
    with db.write() as session:
        version, bot, account = _one(session, version_id)
        lock_account(session, account.id)
        session.refresh(version)
        if version.state == VersionState.FAILED:
            raise ConflictError(
                f"version {version.number} of {bot.name} failed its check: it does not play anyway"
            )
        if version.state != VersionState.DISABLED:
            if version.check_series is not None:
                store_checks.cancel(session, version.check_series)
            version.state, version.state_since = VersionState.DISABLED, now_utc()
            version.reason = disabled_by_owner(bot.name)
        return _row(version, bot, account)


def configure(db: Database, owner: str, name: str, challenges: bool) -> BotVersionRow:
    """Let others challenge an account's bot, or not; raises NotFoundError."""
    with db.write() as session:
        mine = select(Bot).where(col(Bot.owner) == owner, col(Bot.name) == name)
        bot = session.scalar(mine)
        if bot is None:
            raise NotFoundError("bot of yours", name)
        bot.challenges = challenges
    return find(db, owner, name)


def of_owner(
    db: Database, owner: str, limit: int | None = None, offset: int = 0
) -> list[BotVersionRow]:
    """Every version of the bots of an account, by name, the newest first; or at most `limit`."""
    return _listed(db, _joined().where(col(Bot.owner) == owner), limit, offset)


def of_everybody(db: Database, limit: int | None = None, offset: int = 0) -> list[BotVersionRow]:
    """Every version of all bots, by owner and name, the newest first; or at most `limit`."""
    return _listed(db, _joined(), limit, offset)


def _listed(
    db: Database, wanted: Select[BotVersion, Bot, Account], limit: int | None, offset: int
) -> list[BotVersionRow]:
    order = (col(Account.name), col(Bot.name), col(BotVersion.number).desc())
    with db.read() as session:
        found = session.execute(wanted.order_by(*order).limit(limit).offset(offset))
        return [_row(*row) for row in found]


def version(db: Database, version_id: str) -> BotVersionRow:
    """One version; raises NotFoundError."""
    with db.read() as session:
        return _row(*_one(session, version_id))


def find(db: Database, owner: str, name: str, number: int = 0) -> BotVersionRow:
    """A version of an account's bot, 0: the newest; raises NotFoundError."""
    mine = _joined().where(col(Bot.owner) == owner, col(Bot.name) == name)
    numbered = mine.where(col(BotVersion.number) == number) if number else mine
    with db.read() as session:
        newest = numbered.order_by(col(BotVersion.number).desc()).limit(1)
        found = session.execute(newest).first()
        if found is None and number:
            raise NotFoundError("version of your bot", f"{name} {number}")
        if found is None:
            raise NotFoundError("bot of yours", name)
        return _row(*found)


def find_of(db: Database, owner: str, name: str) -> BotVersionRow:
    """The newest version of anybody's bot, by the owner's name; raises NotFoundError."""
    named = _joined().where(col(Account.name) == owner, col(Bot.name) == name)
    with db.read() as session:
        newest = named.order_by(col(BotVersion.number).desc()).limit(1)
        found = session.execute(newest).first()
        if found is None:
            raise NotFoundError("bot", f"{owner}/{name}")
        return _row(*found)


def check_matches(db: Database, version_id: str) -> list[str]:
    """The ids of the matches of a version's last check, in the order of its manifest."""
    with db.read() as session:
        version, _, _ = _one(session, version_id)
        return store_checks.matches_of(session, version.check_series)


def _one(session: Session, version_id: str) -> tuple[BotVersion, Bot, Account]:
    found = session.execute(_joined().where(col(BotVersion.id) == version_id)).first()
    if found is None:
        raise NotFoundError("bot version", version_id)
    version, bot, account = found
    return version, bot, account


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
        state=version.state,
        reason=version.reason,
        created_at=version.created_at,
        challenges=bot.challenges,
        created=created,
    )
