"""The bots in a competition: entered, taken out, and the versions that play."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.competitions import Competition
from arena_service.store.database import changed
from arena_service.store.errors import ConflictError
from arena_service.store.states import VersionState, now_utc
from arena_service.store.tables import (
    Bot,
    BotVersion,
    Ladder,
    LadderEntry,
    Tournament,
    TournamentEntry,
)
from arena_service.store.versions import newest_versions, version_to_enter

MAX_ENTRIES = 200
_numbered = col(TournamentEntry.version)


@dataclass(frozen=True)
class Entered:
    """The version that a competition plays for a bot, once it is active."""

    version_id: str
    version: int
    state: str


def enter(session: Session, competition: Competition, bot: str, number: int = 0) -> Entered:
    """Enter a bot (by id), whose newest active version takes part if it plays the game.

    In a tournament a version can be entered by its number, any number of them. A bot whose first
    version is still checked may be entered; raises ConflictError for one whose versions all failed.
    The caller holds a lock on the competition.
    """
    version = version_to_enter(session, bot, competition.game, number)
    match competition:
        case Ladder():
            session.merge(LadderEntry(ladder=competition.id, bot=bot, active=True))
        case Tournament():
            session.merge(
                TournamentEntry(tournament=competition.id, bot=bot, version=number, active=True)
            )
    return Entered(version.id, version.number, version.state)


def leave(session: Session, competition: Competition, bot: str) -> None:
    """Take a bot (by id) out; raises ConflictError when it is not entered."""
    table, active = _active(competition)
    out = update(table).where(active, col(table.bot) == bot)
    if changed(session, out.values(active=False, changed_at=now_utc())) == 0:
        name = session.get_one(Bot, bot).name
        raise ConflictError(f"{name} is not entered in {competition.name}")


def others(session: Session, competition: Competition, bot: str, number: int = 0) -> int:
    """How many entries there are beside this one."""
    table, active = _active(competition)
    this = col(table.bot) == bot
    if isinstance(competition, Tournament):
        this &= col(TournamentEntry.version) == number
    statement = select(func.count()).select_from(table).where(active, ~this)
    return session.scalar(statement) or 0


def entrants(session: Session, competition: Competition) -> list[BotVersion]:
    """The version of every entry, if it fits, in the order of the bots' ids and their numbers.

    It is the one that was entered by its number, if it is active, else the newest active one. A
    version plays once, however often it was entered.
    """
    table, active = _active(competition)
    anyone = active & (_numbered == 0) if isinstance(competition, Tournament) else active
    bots = list(session.scalars(select(col(table.bot)).where(anyone)))
    found = list(session.scalars(newest_versions(bots)))
    if isinstance(competition, Tournament):
        found += _entered_by_number(session, active)
    fitting = {each.id: each for each in found if competition.game in each.games}
    return sorted(fitting.values(), key=lambda each: (each.bot, each.number))


def _entered_by_number(session: Session, active: ColumnElement[bool]) -> list[BotVersion]:
    statement = (
        select(BotVersion)
        .join(TournamentEntry, col(TournamentEntry.bot) == col(BotVersion.bot))
        .where(
            active,
            _numbered == col(BotVersion.number),
            col(BotVersion.state) == VersionState.ACTIVE,
        )
    )
    return list(session.scalars(statement))


def _active(
    competition: Competition,
) -> tuple[type[LadderEntry] | type[TournamentEntry], ColumnElement[bool]]:
    """The table of the entries and which of them are of this competition."""
    match competition:
        case Ladder():
            mine = col(LadderEntry.ladder) == competition.id
            return LadderEntry, mine & col(LadderEntry.active)
        case Tournament():
            mine = col(TournamentEntry.tournament) == competition.id
            return TournamentEntry, mine & col(TournamentEntry.active)
