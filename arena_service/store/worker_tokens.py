"""Workers on other machines: their tokens, and the signatures of what they lease."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from arena_service.store.database import Database, changed
from arena_service.store.errors import ConflictError, NotFoundError
from arena_service.store.names import check_name
from arena_service.store.tables import WorkerToken


@dataclass(frozen=True)
class Worker:
    """A worker that showed its token."""

    name: str
    created_at: datetime
    lease_key: str = field(repr=False)

    def sign(self, series: str, fence: int) -> str:
        """What proves, to this arena alone, that the worker was given this lease."""
        told = f"{series}:{fence}".encode()
        return hmac.new(bytes.fromhex(self.lease_key), told, hashlib.sha256).hexdigest()

    def holds(self, series: str, fence: int, token: str) -> bool:
        """Whether `token` is the one of that lease."""
        return hmac.compare_digest(self.sign(series, fence).encode(), token.encode())


def create(db: Database, name: str) -> str:
    """Let a worker in; returns its token, which is shown this once and stored hashed."""
    check_name(name)
    token = "iw_" + secrets.token_urlsafe(32)
    row = WorkerToken(name=name, token_sha256=_hash(token), lease_key=secrets.token_hex(32))
    try:
        with db.write() as session:
            session.add(row)
    except IntegrityError as error:
        raise ConflictError(
            f"the worker {name!r} has a token; revoke it first, or choose another name"
        ) from error
    return token


def all_of(db: Database) -> list[Worker]:
    """Every worker with a token, by name."""
    with db.read() as session:
        return [_worker(row) for row in session.scalars(select(WorkerToken).order_by("name"))]


def revoke(db: Database, name: str) -> None:
    """The worker's next call is refused, and what it holds runs out; raises NotFoundError."""
    with db.write() as session:
        if changed(session, delete(WorkerToken).where(col(WorkerToken.name) == name)) == 0:
            raise NotFoundError("worker", name)


def by_token(db: Database, token: str) -> Worker | None:
    """The worker a token belongs to."""
    wanted = select(WorkerToken).where(col(WorkerToken.token_sha256) == _hash(token))
    with db.read() as session:
        found = session.scalar(wanted)
        return None if found is None else _worker(found)


def _worker(row: WorkerToken) -> Worker:
    return Worker(row.name, row.created_at, row.lease_key)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
