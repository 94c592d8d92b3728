"""The server processes, and the workers on other machines."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from arena_service.store.states import UtcDateTime, new_id, now_utc
from arena_service.store.tables.base import Table


class Process(Table, table=True):
    """A server process that says from time to time that it lives."""

    id: str = Field(primary_key=True)
    kind: str
    host: str
    pid: int
    detail: str = ""
    started_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
    seen_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime, index=True)


class WorkerToken(Table, table=True):
    """What a worker without the database shows; the token itself is never stored.

    `lease_key` (32 bytes in hexadecimal) never leaves the arena: it signs the worker's leases.
    """

    __tablename__ = "worker_token"
    id: str = Field(default_factory=new_id, primary_key=True)
    name: str = Field(unique=True)
    token_sha256: str = Field(unique=True)
    lease_key: str
    created_at: datetime = Field(default_factory=now_utc, sa_type=UtcDateTime)
