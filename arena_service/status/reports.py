"""The report is read once every few seconds, however many ask for it."""

from __future__ import annotations

import threading
import time

from arena_service.status import queries
from arena_service.status.report import Status
from arena_service.store.database import Database

KEPT_SECONDS = 2.0


class Reports:
    """The newest report of one database; kept for KEPT_SECONDS for all callers."""

    def __init__(self, db: Database) -> None:
        """Reads at the first question."""
        self._db = db
        self._lock = threading.Lock()
        self._report: Status | None = None
        self._read_at = 0.0

    def newest(self) -> Status:
        """At most KEPT_SECONDS old; whoever asks while it is read waits for it."""
        with self._lock:
            if self._report is None or time.monotonic() - self._read_at > KEPT_SECONDS:
                self._report = queries.status(self._db)
                self._read_at = time.monotonic()
            return self._report
