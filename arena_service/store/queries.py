"""What pages and the API read: plain rows, never an open session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.ratings.table import StandingRow
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.leases import rested, rests
from arena_service.store.match_rows import MatchRow, PlayerRow, match_rows
from arena_service.store.standings import Standings, standings
from arena_service.store.states import (
    AttemptOutcome,
    EventState,
    MatchKind,
    MatchState,
    SeriesState,
)
from arena_service.store.tables import (
    Attempt,
    Bot,
    BotVersion,
    Event,
    Evidence,
    Match,
    MatchSeat,
    Result,
    Series,
)

__all__ = ["MatchRow", "PlayerRow", "StandingRow", "Standings", "standings"]

MAX_PAGE = 500


@dataclass(frozen=True)
class EvidenceRow:
    """What the runner kept about one seat, and who may ask for it."""

    seat: int
    owner_id: str
    limit: str
    used_ms: float | None
    start_cpu_ms: float | None
    peak_bytes: int | None
    last_view: str
    last_line: str
    stderr_tail: str
    cpu_per_ply: tuple[float, ...]
    wall_per_ply: tuple[float, ...]
    notes: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class MatchDetail:
    """One match; `pair_complete` and `private_to` decide who may see what of it.

    `private_to` is the owner of a check match's bot, and None for every other match.
    """

    match: MatchRow
    rules_version: int
    options: dict[str, Any]
    seats: int
    seed: str
    digest: str | None
    pair_complete: bool
    private_to: str | None
    evidence: tuple[EvidenceRow, ...]


@dataclass(frozen=True)
class EventRow:
    """A slot; `key` is there once it is complete."""

    id: str
    ladder_id: str
    slot: int
    state: str
    commitment: str
    entrants_digest: str | None
    key: bytes | None
    created_at: datetime
    closed_at: datetime | None
    completed_at: datetime | None


def waiting_series(db: Database, now: datetime | None = None) -> int:
    """How many series wait for a worker; those of paused events rest."""
    conditions = [col(Series.state) == SeriesState.WAITING, ~rests()]
    if now is not None:
        conditions.append(rested(now))
    with db.read() as session:
        return session.scalar(select(func.count(col(Series.id))).where(*conditions)) or 0


def match_detail(db: Database, match_id: str) -> MatchDetail:
    """One match with all its evidence; raises NotFoundError. The caller asks `access.may`."""
    with db.read() as session:
        match = session.get(Match, match_id)
        if match is None:
            raise NotFoundError("match", match_id)
        whole = col(Match.id) == match.id if match.pair is None else col(Match.pair) == match.pair
        unfinished = select(func.count()).where(whole, col(Match.state) == MatchState.PLANNED)
        digest = session.scalar(select(col(Result.digest)).where(col(Result.match) == match_id))
        found = session.execute(
            select(Evidence, col(Bot.owner))
            .join(Attempt, col(Evidence.attempt) == col(Attempt.id))
            .join(
                MatchSeat,
                (col(MatchSeat.match) == col(Attempt.match))
                & (col(MatchSeat.seat) == col(Evidence.seat)),
            )
            .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
            .join(Bot, col(BotVersion.bot) == col(Bot.id))
            .where(col(Attempt.match) == match_id, col(Attempt.outcome) == AttemptOutcome.ACCEPTED)
            .order_by(col(Evidence.seat))
        )
        return MatchDetail(
            match=match_rows(session, [match_id])[0],
            rules_version=match.rules_version,
            options=match.options,
            seats=match.seats,
            seed=match.seed,
            digest=digest,
            pair_complete=(session.scalar(unfinished) or 0) == 0,
            private_to=_private_to(session, match),
            evidence=tuple(_evidence(row, owner) for row, owner in found),
        )


def _private_to(session: Session, match: Match) -> str | None:
    if match.kind != MatchKind.CHECK:
        return None
    owner = (
        select(col(Bot.owner))
        .join(BotVersion, col(BotVersion.bot) == col(Bot.id))
        .join(MatchSeat, col(MatchSeat.bot_version) == col(BotVersion.id))
        .where(col(MatchSeat.match) == match.id)
    )
    return session.scalars(owner.limit(1)).one()


def replay(db: Database, match_id: str) -> bytes | None:
    """The replay file of a finished match. The caller asks `access.may`."""
    with db.read() as session:
        return session.scalar(select(col(Result.replay)).where(col(Result.match) == match_id))


def events(db: Database, ladder_id: str, limit: int = 50) -> list[EventRow]:
    """The slots of a ladder, the newest first; the key of a complete one only."""
    newest = (
        select(Event)
        .where(col(Event.ladder) == ladder_id)
        .order_by(col(Event.slot).desc())
        .limit(min(max(limit, 0), MAX_PAGE))
    )
    with db.read() as session:
        return [_event(row) for row in session.scalars(newest)]


def _event(row: Event) -> EventRow:
    return EventRow(
        id=row.id,
        ladder_id=row.ladder or "",
        slot=row.slot or 0,
        state=row.state,
        commitment=row.commitment,
        entrants_digest=row.entrants_digest,
        key=row.key if row.state == EventState.COMPLETE else None,
        created_at=row.created_at,
        closed_at=row.closed_at,
        completed_at=row.completed_at,
    )


def _evidence(row: Evidence, owner: str) -> EvidenceRow:
    return EvidenceRow(
        seat=row.seat,
        owner_id=owner,
        limit=row.limit,
        used_ms=row.used_ms,
        start_cpu_ms=row.start_cpu_ms,
        peak_bytes=row.peak_bytes,
        last_view=row.last_view,
        last_line=row.last_line,
        stderr_tail=row.stderr_tail,
        cpu_per_ply=tuple(row.cpu_per_ply),
        wall_per_ply=tuple(row.wall_per_ply),
        notes=tuple((int(ply), str(text)) for ply, text in row.notes),
    )
