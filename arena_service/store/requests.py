"""Creations under a key of the caller's choice: asked for again they make nothing twice.

The key is kept in the transaction of what it made, under a lock on the account: of two equal
requests at the same moment the second finds what the first one made.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.errors import InvalidError
from arena_service.store.states import now_utc
from arena_service.store.tables import Request

KEPT = timedelta(days=1)
MAX_KEY_LENGTH = 64


@dataclass(frozen=True)
class Asked:
    """A request: its `key` (empty: it has none) and the digest of all that it asks for."""

    key: str = ""
    digest: str = ""


UNNAMED = Asked()


def made_before(session: Session, account: str, asked: Asked) -> str | None:
    """The id of what the same request has made; the caller holds the account.

    Raises InvalidError for a key of another request, or one that cannot be kept.
    """
    if not asked.key:
        return None
    if len(asked.key) > MAX_KEY_LENGTH or not asked.key.isprintable():
        raise InvalidError("request_key", f"at most {MAX_KEY_LENGTH} printable characters")
    known = session.get(Request, (account, asked.key))
    if known is None:
        return None
    if known.digest != asked.digest:
        raise InvalidError("request_key", "a new one: under this one something else was asked for")
    return known.made


def keep(
    session: Session, account: str, asked: Asked, made: str, now: datetime | None = None
) -> None:
    """Remember what a request has made; forget those of the account that are older than KEPT."""
    if not asked.key:
        return
    moment = now or now_utc()
    session.execute(
        delete(Request).where(
            col(Request.account) == account, col(Request.created_at) < moment - KEPT
        )
    )
    session.add(
        Request(account=account, key=asked.key, digest=asked.digest, made=made, created_at=moment)
    )
    session.flush()
