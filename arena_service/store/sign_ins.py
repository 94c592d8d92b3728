"""Visits to the dashboard: a secret of their own stands for the token, and ends by itself."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlmodel import col

from arena_service.store.accounts import User, by_token
from arena_service.store.database import Database, changed
from arena_service.store.states import now_utc
from arena_service.store.tables import Account, SignIn

LIFETIME = timedelta(days=7)


def sign_in(db: Database, token: str, now: datetime | None = None) -> str | None:
    """Open a visit for the owner of a token; returns its secret, or None for an unknown token.

    The secret is given this once and stored hashed. Visits that have ended are swept away.
    """
    user = by_token(db, token)
    if user is None:
        return None
    secret, moment = secrets.token_urlsafe(32), now or now_utc()
    with db.write() as session:
        session.execute(delete(SignIn).where(col(SignIn.expires_at) <= moment))
        session.add(
            SignIn(
                secret_sha256=_hash(secret),
                account=user.id,
                created_at=moment,
                expires_at=moment + LIFETIME,
            )
        )
    return secret


def visitor(db: Database, secret: str, now: datetime | None = None) -> User | None:
    """Who opened the visit with this secret; None when it is unknown or has ended."""
    open_visit = (
        select(Account)
        .join(SignIn, col(SignIn.account) == col(Account.id))
        .where(
            col(SignIn.secret_sha256) == _hash(secret), col(SignIn.expires_at) > (now or now_utc())
        )
    )
    with db.read() as session:
        found = session.scalar(open_visit)
        return None if found is None else User(found.id, found.name)


def sign_out(db: Database, secret: str) -> bool:
    """End the visit with this secret; whether there was one."""
    with db.write() as session:
        ended = delete(SignIn).where(col(SignIn.secret_sha256) == _hash(secret))
        return changed(session, ended) == 1


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
