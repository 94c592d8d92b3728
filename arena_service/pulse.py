"""A thread that says every few seconds that its process lives, whatever becomes of the saying."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine_service.logs import get_logger

BEAT_SECONDS = 5.0

log = get_logger("interrex.heartbeat")


class Pulse:
    """Calls `beat` at once and then every BEAT_SECONDS, until it is stopped."""

    def __init__(self, beat: Callable[[], None], failures: tuple[type[Exception], ...]) -> None:
        """What `beat` raises of `failures` is logged, and the next beat tries again."""
        self._beat, self._failures = beat, failures
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, after a beat that is under way; nothing happens where none began."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(BEAT_SECONDS)

    def _run(self) -> None:
        while True:
            try:
                self._beat()
            except self._failures as error:
                log.warning("no sign of life could be given", error=" ".join(str(error).split()))
            if self._ended.wait(BEAT_SECONDS):
                return
