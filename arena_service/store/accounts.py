"""Accounts and their tokens."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlmodel import col

from arena_service.store.database import Database, changed
from arena_service.store.errors import ConflictError, NotFoundError
from arena_service.store.names import check_name
from arena_service.store.tables import Account, SignIn


@dataclass(frozen=True)
class User:
    """Somebody with an account."""

    id: str
    name: str


def create_user(db: Database, name: str) -> str:
    """Create an account; returns its token, which is shown this once and stored hashed."""
    check_name(name)
    token = _token()
    try:
        with db.write() as session:
            session.add(Account(name=name, token_sha256=_hash(token)))
    except IntegrityError as error:
        raise ConflictError(f"the name {name!r} is taken; choose another") from error
    return token


def renew_token(db: Database, name: str) -> str:
    """A new token in the place of the old one, which is worth nothing from now on; visits end."""
    token = _token()
    with db.write() as session:
        account = select(col(Account.id)).where(col(Account.name) == name).scalar_subquery()
        session.execute(delete(SignIn).where(col(SignIn.account) == account))
        renewed = update(Account).where(col(Account.name) == name)
        if changed(session, renewed.values(token_sha256=_hash(token))) != 1:
            raise NotFoundError("account", name)
    return token


def by_token(db: Database, token: str) -> User | None:
    """The account a token belongs to."""
    with db.read() as session:
        found = session.scalar(select(Account).where(col(Account.token_sha256) == _hash(token)))
        return None if found is None else User(found.id, found.name)


def lock_account(session: Session, account: str) -> Account:
    """The account, for one call at a time: what it owns is counted and then added to."""
    return session.get_one(Account, account, with_for_update={"key_share": True})


def _token() -> str:
    return "ix_" + secrets.token_urlsafe(32)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
