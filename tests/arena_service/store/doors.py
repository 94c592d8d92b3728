"""The two doors of match workers, so that the same tests pass through both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from arena_service.api.server import start
from arena_service.remote.client import GrpcWork
from arena_service.store import worker_tokens
from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from arena_service.work import AcceptedOutcome, Assignment, Late, Work
from tests.arena_service.store.arena import LEASE, SmallArena

STORE, GRPC = "StoreWork", "GrpcWork"


@dataclass
class Clock:
    """The instant that the arena takes for the present; None: the real one."""

    now: datetime | None = None


class Clocked(StoreWork):
    """The arena's side with a clock that tests set."""

    def __init__(self, db: Database, lease_seconds: float, clock: Clock, most: float) -> None:
        super().__init__(db, lease_seconds, most)
        self._clock = clock

    def lease(self, worker: str, now: datetime | None = None) -> Assignment | None:
        return super().lease(worker, now or self._clock.now)

    def take_back(self, worker: str, held: Any, now: datetime | None = None) -> None:
        super().take_back(worker, held, now or self._clock.now)

    def progress(
        self, series: str, fence: int, plies: dict[str, int], now: datetime | None = None
    ) -> bool:
        return super().progress(series, fence, plies, now or self._clock.now)

    def accept(
        self, series: str, fence: int, outcome: AcceptedOutcome, now: datetime | None = None
    ) -> bool:
        return super().accept(series, fence, outcome, now or self._clock.now)

    def fail(
        self,
        series: str,
        fence: int,
        cause: str,
        detail: str,
        late: Late | None = None,
        now: datetime | None = None,
    ) -> None:
        super().fail(series, fence, cause, detail, late, now or self._clock.now)


@dataclass
class Timed:
    """A worker's door whose calls may say at what time they happen."""

    work: Work
    clock: Clock

    def lease(self, worker: str, now: datetime | None = None) -> Assignment | None:
        self.clock.now = now
        return self.work.lease(worker)

    def progress(
        self, series: str, fence: int, plies: dict[str, int], now: datetime | None = None
    ) -> bool:
        self.clock.now = now
        return self.work.progress(series, fence, plies)

    def accept(
        self, series: str, fence: int, outcome: AcceptedOutcome, now: datetime | None = None
    ) -> bool:
        self.clock.now = now
        return self.work.accept(series, fence, outcome)

    def fail(
        self,
        series: str,
        fence: int,
        cause: str,
        detail: str,
        late: Late | None = None,
        now: datetime | None = None,
    ) -> None:
        self.clock.now = now
        self.work.fail(series, fence, cause, detail, late)

    def artifact(self, sha256: str) -> bytes:
        return self.work.artifact(sha256)


@dataclass
class Doors:
    """Doors of one kind to one database; `close` what was opened."""

    db: Database
    kind: str
    opened: list[Any] = field(default_factory=list)

    def open(self, lease_seconds: float = LEASE, at_most: float = 86_400.0) -> Timed:
        """A door, over a server of its own where it is a remote one."""
        clock = Clock()
        store = Clocked(self.db, lease_seconds, clock, at_most)
        if self.kind == STORE:
            return Timed(store, clock)
        server = start(self.db, "127.0.0.1:0", work=store)
        token = worker_tokens.create(self.db, f"worker-{len(self.opened)}")
        work = GrpcWork(server.address, token, "host", 1 + len(self.opened))
        self.opened.append((work, server))
        return Timed(work, clock)

    def close(self) -> None:
        """End servers and connections."""
        for work, server in self.opened:
            work.close()
            server.server.stop(None)


@dataclass
class DoorArena(SmallArena):
    """A small arena whose workers come through one door."""

    doors: Doors | None = None
    door: Timed | None = None

    def work(self, lease_seconds: float = LEASE) -> Timed:  # type: ignore[override]
        """The door, always the same one: what it leased it may report."""
        assert self.doors is not None
        if self.door is None:
            self.door = self.doors.open(lease_seconds)
        return self.door


@contextmanager
def doors_to(db: Database, kind: str) -> Iterator[Doors]:
    """Doors that are closed at the end."""
    doors = Doors(db, kind)
    try:
        yield doors
    finally:
        doors.close()
