"""Which version of a bot plays: the newest that is active."""

from __future__ import annotations

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.errors import ConflictError, NotFoundError
from arena_service.store.states import VersionState
from arena_service.store.tables import BotVersion


def newest_versions(
    bots: list[str], state: VersionState = VersionState.ACTIVE
) -> Select[BotVersion]:
    """The newest version in that state of each bot that has one, in the order of the bots' ids."""
    newest = (
        select(col(BotVersion.bot), func.max(col(BotVersion.number)).label("number"))
        .where(col(BotVersion.bot).in_(bots), col(BotVersion.state) == state)
        .group_by(col(BotVersion.bot))
        .subquery()
    )
    return (
        select(BotVersion)
        .join(
            newest,
            (col(BotVersion.bot) == newest.c.bot) & (col(BotVersion.number) == newest.c.number),
        )
        .order_by(col(BotVersion.bot))
    )


def version_to_enter(session: Session, bot: str, game: str, number: int = 0) -> BotVersion:
    """The version of a bot that plays a game, else the one that will once its check is passed.

    That is the newest, or the one of this `number`. Raises ConflictError with the reason when there
    is neither, and NotFoundError for a number that there is not.
    """
    if number:
        return _of_number(session, bot, game, number)
    found = [
        version
        for state in (VersionState.ACTIVE, VersionState.CHECKING)
        if (version := session.scalar(newest_versions([bot], state))) is not None
    ]
    for version in found:
        if game in version.games:
            return version
    if found:
        raise ConflictError(
            f"the newest version of the bot does not play {game}; name it in bot.toml, under games"
        )
    newest = session.scalars(
        select(BotVersion)
        .where(col(BotVersion.bot) == bot)
        .order_by(col(BotVersion.number).desc())
        .limit(1)
    ).one()
    raise ConflictError(
        f"no version of the bot may play; version {newest.number} is {newest.state}: "
        f"{newest.reason}"
    )


def _of_number(session: Session, bot: str, game: str, number: int) -> BotVersion:
    version = session.scalar(
        select(BotVersion).where(col(BotVersion.bot) == bot, col(BotVersion.number) == number)
    )
    if version is None:
        raise NotFoundError("version", str(number))
    if version.state not in (VersionState.ACTIVE, VersionState.CHECKING):
        raise ConflictError(f"version {number} may not play, it is {version.state}")
    if game not in version.games:
        raise ConflictError(f"version {number} of the bot does not play {game}")
    return version
