"""The arena's database, opened once for this server."""

from __future__ import annotations

from functools import cache

from arena_service.settings import Settings
from arena_service.store.database import Database, open_database


@cache
def database() -> Database:
    """The database that the settings name; the pages and the routes beside them share it."""
    return open_database(Settings.from_environment().database_url)
