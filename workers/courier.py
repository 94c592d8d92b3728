"""Tells webhooks, in threads of the control worker: no tick waits for somebody else's server."""

from __future__ import annotations

import threading
from datetime import datetime

from arena_service.store import deliveries
from arena_service.store.database import UNAVAILABLE, Database, one_line
from arena_service.store.states import now_utc
from arena_service.webhooks.posting import PostError, post
from arena_service.webhooks.settings import WebhookSettings
from engine_service.logs import get_logger

AT_ONCE = 4

log = get_logger("interrex.webhooks")


class Courier:
    """Delivers what is due."""

    def __init__(self, settings: WebhookSettings) -> None:
        """Links and bounds are those of the settings."""
        self._settings = settings
        self._threads: list[threading.Thread] = []

    def tick(self, database: Database, now: datetime) -> None:
        """Keep what is to be told; one more thread, AT_ONCE at most, tells what is due."""
        deliveries.announce(database, now, self._settings.dashboard)
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        if len(self._threads) < AT_ONCE and deliveries.is_due(database, now):
            target, args = self._deliver_all, (database,)
            thread = threading.Thread(target=target, args=args, name="webhooks", daemon=True)
            thread.start()
            self._threads.append(thread)

    def deliver(self, database: Database, now: datetime) -> bool:
        """Try one delivery; False: none is due."""
        claimed = deliveries.claim(database, now)
        if claimed is None:
            return False
        error = ""
        try:
            body = claimed.body.encode()
            private = self._settings.private
            post(claimed.url, claimed.id, body, claimed.secret, private=private)
        except PostError as problem:
            error = str(problem)
        state = deliveries.settle(database, claimed, error, now)
        attempt = {"delivery_id": claimed.id, "attempt": claimed.attempt, "error": error}
        log.info(f"webhook {state}", **attempt)
        return True

    def _deliver_all(self, database: Database) -> None:
        try:
            while self.deliver(database, now_utc()):
                pass
        except UNAVAILABLE as error:
            log.warning("webhooks wait: the database does not answer", error=one_line(error))
        except Exception:  # a thread that fails takes no tick with it
            log.exception("a webhook cannot be told")
