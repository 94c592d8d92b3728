"""Places for calls that last, so that slow ones never hold every thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import grpc

from arena_service.api.errors import busy


class Room:
    """A number of places; who finds none is told to try again."""

    def __init__(self, what: str, places: int, seconds: float) -> None:
        """A call in a place is cut off after `seconds`; `what` names them to people."""
        self._what, self._seconds = what, seconds
        self._places = threading.BoundedSemaphore(places)

    @contextlib.contextmanager
    def place(self, context: grpc.ServicerContext) -> Iterator[None]:
        """Take a place while the call lasts; raises ApiError when none is free."""
        if not self._places.acquire(blocking=False):
            raise busy(f"too many {self._what} at this moment; try again soon")
        alarm = threading.Timer(self._seconds, context.cancel)
        alarm.start()
        try:
            yield
        finally:
            alarm.cancel()
            self._places.release()
