"""An arena on PostgreSQL and RabbitMQ, and what can happen to these two while it runs."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.arena_service import postgres, rabbitmq
from tests.faults import lost_replies
from tests.kills import processes
from tests.kills.arena import Arena, running, wait_for
from tests.kills.books import Books
from tests.kills.storm import follow

Fault = Callable[[], object]
DATABASE, BACKEND = "database killed", "backend killed"
BROKER, PURGED, AWAY, HUNG = "broker killed", "broker emptied", "broker away", "broker hung"
REPLACED = "broker replaced"
REPLIES = {kind: f"{kind} unheard" for kind in lost_replies.KINDS}
QUEUES = ("matches", "control")
# What `up` starts here: the broker is outside.
KINDS = tuple(kind for kind in processes.KINDS if kind != "broker")


@dataclass
class Services:
    """What runs beside the arena; each fault of `faults` happens when it is called."""

    database: postgres.Server
    broker: rabbitmq.RabbitMQ
    wire: lost_replies.Wire
    books: Books
    chance: random.Random
    away_seconds: float

    def faults(self, arena: Arena) -> Mapping[str, Fault]:
        """By name; each returns when the service is there again, or the answer was lost."""
        return {
            DATABASE: self._kill_database,
            BACKEND: lambda: self.database.kill_backend(self.chance),
            BROKER: self._kill_broker,
            PURGED: lambda: self.broker.purge(*QUEUES),
            AWAY: self._stop_broker,
            HUNG: self._freeze_broker,
            REPLACED: self._replace_broker,
            **{name: self._losing(kind, arena) for kind, name in REPLIES.items()},
        }

    def _kill_database(self) -> None:
        self.database.kill()
        self.database.start()

    def _kill_broker(self) -> None:
        self.broker.kill()
        self.broker.start()

    def _stop_broker(self) -> None:
        self.broker.kill()
        time.sleep(self.away_seconds)
        self.broker.start()

    def _freeze_broker(self) -> None:
        os.kill(self.broker.pid, signal.SIGSTOP)
        time.sleep(self.away_seconds)
        os.kill(self.broker.pid, signal.SIGCONT)

    def _replace_broker(self) -> None:
        self.broker.kill()
        self.broker.empty()
        self.broker.start()

    def _losing(self, kind: str, arena: Arena) -> Fault:
        def is_lost(before: int) -> bool:
            follow(arena, self.books)
            return self.wire.lost[kind] > before

        def lose() -> None:
            before = self.wire.lost[kind]
            self.wire.lose(kind)
            wait_for(lambda: is_lost(before), f"a {kind} to be lost")

        return lose


@contextmanager
def served(
    data: Path, chance: random.Random, away_seconds: float, options: Sequence[str] = ()
) -> Iterator[tuple[Arena, Services]]:
    """An arena on services of its own; what it says to its database goes over a wire."""
    with (
        postgres.running() as database,
        rabbitmq.server() as broker,
        lost_replies.wire(database.socket) as wire,
    ):
        books = Books(postgres.url(database.where, "postgres"))
        services = Services(database, broker, wire, books, chance, away_seconds)
        settings = {"INTERREX_BROKER_URL": broker.url}
        with running(data, postgres.url(wire.where, "postgres"), options, settings) as arena:
            yield arena, services
