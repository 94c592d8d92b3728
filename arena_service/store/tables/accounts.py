"""People and their bots."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field

from arena_service.store.states import UtcDateTime, VersionState, new_id, now_utc
from arena_service.store.tables.base import Table


class Account(Table, table=True):
    """A person; the token itself is never stored."""

    id: str = Field(default_factory=new_id, primary_key=True)
    name: str = Field(unique=True)
    token_sha256: str = Field(unique=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class SignIn(Table, table=True):
    """A visit to the dashboard by somebody who showed a token; only the hash of its own is kept."""

    __tablename__ = "sign_in"
    secret_sha256: str = Field(primary_key=True)
    account: str = Field(foreign_key="account.id", index=True)
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)


class Bot(Table, table=True):
    """A program with a name of its owner's choice; `challenges`: others may challenge it."""

    __table_args__ = (UniqueConstraint("owner", "name"),)
    id: str = Field(default_factory=new_id, primary_key=True)
    owner: str = Field(foreign_key="account.id")
    name: str
    challenges: bool = True
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Request(Table, table=True):
    """A creation under a key of the caller's choice: the same again is what it `made`, by its id.

    `digest` is that of what was asked for.
    """

    account: str = Field(foreign_key="account.id", primary_key=True)
    key: str = Field(primary_key=True)
    digest: str
    made: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)


class Artifact(Table, table=True):
    """An archive under the hash of its bytes."""

    sha256: str = Field(primary_key=True)
    content: bytes
    size: int


class BotVersion(Table, table=True):
    """An immutable upload of a bot; `reason` says why it does not play, in words for its author.

    `check_series` is its last check; `faults_in_a_row` counts rated matches lost by its own fault.
    `wins` to `faults` count all its seats in rated matches that have a result.
    """

    __tablename__ = "bot_version"
    __table_args__ = (UniqueConstraint("bot", "number"), UniqueConstraint("bot", "sha256"))
    id: str = Field(default_factory=new_id, primary_key=True)
    bot: str = Field(foreign_key="bot.id")
    number: int
    sha256: str = Field(foreign_key="artifact.sha256")
    games: list[str] = Field(sa_type=JSON)
    run: list[str] = Field(sa_type=JSON)
    protocol: str
    state: str = VersionState.CHECKING
    reason: str = ""
    state_since: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    check_series: str | None = Field(default=None, foreign_key="series.id")
    faults_in_a_row: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
