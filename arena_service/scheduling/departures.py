"""Entrants that leave a tournament on its way: withdrawn or disqualified, with what follows.

Either way its matches that are not played are cancelled, and it is paired no more. What a withdrawn
entrant has played stays. What a disqualified one has played is annulled: it counts for nobody. How
a format scores the encounters is said where it does (`formats/scoring.py`).
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.scheduling.giving_up import give_up
from arena_service.scheduling.tournaments import ON_ITS_WAY, find_locked
from arena_service.store import tournaments
from arena_service.store.database import Database
from arena_service.store.errors import ConflictError, InvalidError
from arena_service.store.rounds import newest_round
from arena_service.store.states import DepartureKind, MatchState
from arena_service.store.tables import (
    Annulment,
    BotVersion,
    Departure,
    Entrant,
    Event,
    Match,
    MatchSeat,
)
from arena_service.store.tournaments import TournamentRow
from engine_service.logs import get_logger

log = get_logger("interrex.tournaments")

MAX_REASON = 500


def withdraw(
    db: Database, tournament: str, bot: str, by: str, now: datetime, reason: str = ""
) -> TournamentRow:
    """Take a bot (by id) out of a tournament that is on its way; its results stay.

    Raises ConflictError when it does not play in it, or not any more.
    """
    return _leave(db, tournament, bot, by, now, DepartureKind.WITHDRAWN, reason)


def disqualify(
    db: Database, tournament: str, bot: str, by: str, now: datetime, reason: str
) -> TournamentRow:
    """The same, and annul what it has played; also for a bot that was withdrawn before."""
    if not reason.strip():
        raise InvalidError("reason", "why it is disqualified: everybody will read it")
    return _leave(db, tournament, bot, by, now, DepartureKind.DISQUALIFIED, reason)


def _leave(
    db: Database,
    tournament: str,
    bot: str,
    by: str,
    now: datetime,
    kind: DepartureKind,
    reason: str,
) -> TournamentRow:
    if len(reason) > MAX_REASON or not reason.isprintable():
        raise InvalidError("reason", f"at most {MAX_REASON} printable characters")
    with db.write() as session:
        row, event = find_locked(session, tournament)
        last = newest_round(session, event.id)
        if event.state not in ON_ITS_WAY or last is None:
            raise ConflictError(f"nobody is {kind} from {row.name}: it is {event.state}")
        leaving = _entrants(session, event, bot, kind)
        if not leaving:
            raise ConflictError(f"the bot does not play in {row.name}, or not any more")
        common = {"event": event.id, "kind": kind, "round": last.number, "by": by}
        rows = [
            {"bot_version": version, "reason": reason, "created_at": now, **common}
            for version in leaving
        ]
        session.execute(insert(Departure), rows)
        played = (
            select(col(Match.id))
            .join(MatchSeat, col(MatchSeat.match) == col(Match.id))
            .where(col(Match.event) == event.id, col(MatchSeat.bot_version).in_(leaving))
        )
        give_up(session, played, now, f"a bot was {kind}")
        if kind is DepartureKind.DISQUALIFIED:
            finished = played.where(col(Match.state) == MatchState.FINISHED).distinct()
            _annul(session, list(session.scalars(finished)), by, reason, now)
    log.info(f"entrant {kind}", tournament=row.name, event_id=event.id, round=last.number)
    return tournaments.show(db, row.id)


def _entrants(session: Session, event: Event, bot: str, kind: DepartureKind) -> list[str]:
    """The versions of the bot that play, or of whom worse is now known than that they left."""
    gone = select(col(Departure.bot_version)).where(col(Departure.event) == event.id)
    if kind is DepartureKind.DISQUALIFIED:
        gone = gone.where(col(Departure.kind) == kind)
    entered = (
        select(col(Entrant.bot_version))
        .join(BotVersion, col(BotVersion.id) == col(Entrant.bot_version))
        .where(
            col(Entrant.event) == event.id,
            col(BotVersion.bot) == bot,
            col(Entrant.bot_version).not_in(gone),
        )
    )
    return list(session.scalars(entered))


def _annul(session: Session, matches: list[str], by: str, reason: str, now: datetime) -> None:
    known = set(
        session.scalars(select(col(Annulment.match)).where(col(Annulment.match).in_(matches)))
    )
    rows = [
        {"match": match, "by": by, "reason": reason, "created_at": now}
        for match in matches
        if match not in known
    ]
    if rows:
        session.execute(insert(Annulment), rows)
