"""Which `Work` and which engine a match slot uses: chosen by the settings, once, after the fork."""

from __future__ import annotations

from structlog.contextvars import get_contextvars

from arena_service.settings import Settings
from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from arena_service.work import Work
from engine_service.call_log import METADATA
from engine_service.client import Engine, GrpcEngine


def open_work(settings: Settings, database: Database) -> Work:
    """Work straight from the database, for workers on a machine that may hold its address."""
    return StoreWork(database, settings.lease_seconds, settings.lease_at_most)


def open_engine(settings: Settings) -> Engine:
    """The engine service, whose log names each match as this process does."""
    return GrpcEngine(settings.engine_address, _bound_ids)


def _bound_ids() -> tuple[tuple[str, str | bytes], ...]:
    bound = get_contextvars()
    return tuple((key, bound[name]) for key, name in METADATA.items() if bound.get(name))
