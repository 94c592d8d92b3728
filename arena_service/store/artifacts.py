"""The archives of bots, by the hash of their bytes."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.tables import Artifact, BotVersion, Match, MatchSeat


def content(db: Database, sha256: str) -> bytes:
    """The archive with this hash; raises NotFoundError."""
    with db.read() as session:
        found = session.get(Artifact, sha256)
        if found is None:
            raise NotFoundError("artifact", sha256)
        return found.content


def plays_in(db: Database, sha256: str, series: str) -> bool:
    """Whether a bot with this archive has a seat in a match of the series."""
    seat = (
        select(col(MatchSeat.match))
        .join(Match, col(MatchSeat.match) == col(Match.id))
        .join(BotVersion, col(MatchSeat.bot_version) == col(BotVersion.id))
        .where(col(Match.series) == series, col(BotVersion.sha256) == sha256)
    )
    with db.read() as session:
        return session.scalar(seat.limit(1)) is not None


def pieces(db: Database, sha256: str, size: int) -> Iterator[bytes]:
    """The archive with this hash in pieces of `size` bytes, each read when it is asked for."""
    start = 1  # databases count from 1
    while piece := _piece(db, sha256, start, size):
        yield piece
        start += size


def _piece(db: Database, sha256: str, start: int, size: int) -> bytes | None:
    piece = func.substr(col(Artifact.content), start, size)
    with db.read() as session:
        return session.scalar(select(piece).where(col(Artifact.sha256) == sha256))
