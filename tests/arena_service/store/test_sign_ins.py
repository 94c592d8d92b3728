"""Visits to the dashboard."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from arena_service.store import accounts, sign_ins
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.tables import SignIn
from tests.arena_service.store.arena import NOON


def test_a_token_opens_a_visit_until_it_is_ended(database: Database) -> None:
    token = accounts.create_user(database, "ann")
    secret = sign_ins.sign_in(database, token)
    assert secret is not None
    assert secret not in token
    found = sign_ins.visitor(database, secret)
    assert found == accounts.by_token(database, token)
    assert sign_ins.sign_out(database, secret)
    assert sign_ins.visitor(database, secret) is None
    assert not sign_ins.sign_out(database, secret)


def test_neither_the_token_nor_the_secret_is_stored(database: Database) -> None:
    token = accounts.create_user(database, "ann")
    secret = sign_ins.sign_in(database, token)
    with database.read() as session:
        stored = session.scalars(select(SignIn)).one()
        text = f"{stored.secret_sha256} {stored.account}"
    assert secret is not None
    assert secret not in text
    assert token not in text


def test_a_new_token_ends_the_old_one_and_all_visits_of_its_owner(database: Database) -> None:
    old, other = (accounts.create_user(database, name) for name in ("ann", "bob"))
    visit, stays = (sign_ins.sign_in(database, token) for token in (old, other))
    assert visit is not None
    assert stays is not None
    before = accounts.by_token(database, old)
    new = accounts.renew_token(database, "ann")
    assert accounts.by_token(database, new) == before
    assert accounts.by_token(database, old) is None
    assert sign_ins.visitor(database, visit) is None
    assert sign_ins.visitor(database, stays) == accounts.by_token(database, other)
    with pytest.raises(NotFoundError, match="there is no account 'cy'"):
        accounts.renew_token(database, "cy")


def test_an_unknown_token_opens_nothing(database: Database) -> None:
    accounts.create_user(database, "ann")
    assert sign_ins.sign_in(database, "ix_guess") is None
    assert sign_ins.visitor(database, "guess") is None
    assert sign_ins.visitor(database, "") is None


def test_a_visit_ends_by_itself_and_is_swept_by_the_next(database: Database) -> None:
    token = accounts.create_user(database, "ann")
    first = sign_ins.sign_in(database, token, now=NOON)
    end = NOON + sign_ins.LIFETIME
    assert first is not None
    assert sign_ins.visitor(database, first, now=end - timedelta(seconds=1)) is not None
    assert sign_ins.visitor(database, first, now=end) is None
    sign_ins.sign_in(database, token, now=end)
    with database.read() as session:
        assert len(session.scalars(select(SignIn)).all()) == 1


def test_visits_of_one_account_are_independent(database: Database) -> None:
    token = accounts.create_user(database, "ann")
    one, two = (sign_ins.sign_in(database, token) or "" for _ in range(2))
    sign_ins.sign_out(database, one)
    assert sign_ins.visitor(database, two) is not None
