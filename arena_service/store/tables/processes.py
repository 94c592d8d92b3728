"""The server processes."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from arena_service.store.states import UtcDateTime, now_utc
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
