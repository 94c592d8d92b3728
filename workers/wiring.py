"""How a match slot reaches arena and engine: chosen by the settings, opened after the fork."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from structlog.contextvars import get_contextvars

from arena_service.settings import Settings
from arena_service.work import Work, slot_name
from engine_service.call_log import METADATA
from engine_service.client import Engine, GrpcEngine


class Heartbeat(Protocol):
    """Signs of life of this slot."""

    def start(self) -> None:
        """Go on giving them until `stop`."""

    def stop(self) -> None:
        """This slot ends in order."""


@dataclass(frozen=True)
class Door:
    """Where a slot gets its work, under which name, and who hears that it lives."""

    work: Work
    name: str
    heartbeat: Heartbeat


OpenDoor = Callable[[str, str], Door]


def find_door(settings: Settings) -> OpenDoor:
    """Through the API where the settings name a `work_address`, else straight to the database.

    Found before a fork, its packages are loaded once for all slots; opened it is in each slot, with
    a kind, WOKEN or POLLING, and what `interrex status` tells of the slot. To open it raises
    SettingsError.
    """
    return _over_the_api(settings) if settings.work_address else _to_the_database(settings)


# Each door imports its own packages: a worker without a database needs none for databases.


def _over_the_api(settings: Settings) -> OpenDoor:
    from arena_service.remote.client import GrpcWork
    from arena_service.remote.heartbeat import RemoteHeartbeat

    def opened(kind: str, detail: str) -> Door:
        host, pid = socket.gethostname(), os.getpid()
        work = GrpcWork(settings.work_address, settings.work_token(), host, pid)
        return Door(work, slot_name(host, pid), RemoteHeartbeat(work, kind, detail))

    return opened


def _to_the_database(settings: Settings) -> OpenDoor:
    from arena_service.status.heartbeat import Heartbeat as StoredHeartbeat
    from arena_service.store.database import open_database
    from arena_service.store.work_store import StoreWork

    def opened(kind: str, detail: str) -> Door:
        database = open_database(settings.database_url)
        work = StoreWork(database, settings.lease_seconds, settings.lease_at_most)
        name = slot_name(socket.gethostname(), os.getpid())
        return Door(work, name, StoredHeartbeat(database, kind, detail))

    return opened


def open_engine(settings: Settings) -> Engine:
    """The engine service, whose log names each match as this process does."""
    return GrpcEngine(settings.engine_address, _bound_ids)


def _bound_ids() -> tuple[tuple[str, str | bytes], ...]:
    bound = get_contextvars()
    return tuple((key, bound[name]) for key, name in METADATA.items() if bound.get(name))
