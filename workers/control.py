"""What the control worker does at every tick: expired leases, due slots, and how many to wake."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from arena_service.scheduling import slots, sweep
from arena_service.settings import Settings
from arena_service.store import queries
from arena_service.store.database import Database, open_database

TOKEN_SECONDS = 5
TOKENS_AT_MOST = 16


@lru_cache(maxsize=1)
def _database(url: str) -> Database:
    return open_database(url)


def tick(settings: Settings) -> int:
    """Act on the clock once; returns how many wake-up tokens to send: one per series, bounded."""
    database, now = _database(settings.database_url), datetime.now(UTC)
    sweep.expire_leases(database, now)
    slots.tick(database, now)
    return min(TOKENS_AT_MOST, queries.waiting_series(database))
