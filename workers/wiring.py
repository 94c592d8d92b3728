"""Which `Work` a match slot uses: chosen by the settings, once, at process start."""

from __future__ import annotations

from arena_service.settings import Settings
from arena_service.store.database import open_database
from arena_service.store.work_store import StoreWork
from arena_service.work import Work


def open_work(settings: Settings) -> Work:
    """Work straight from the database, for workers on a machine that may hold its address."""
    database = open_database(settings.database_url)
    return StoreWork(database, settings.lease_seconds, settings.lease_at_most)
