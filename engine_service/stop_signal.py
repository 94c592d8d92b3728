"""How a process is told to end by a signal, and how its main thread waits for that."""

from __future__ import annotations

import queue
import signal
from collections.abc import Callable

LOOK_SECONDS = 0.5


class StopSignal:
    """An event that a signal handler may set while the thread it interrupts waits for it.

    `threading.Event` is not made for that: `set()` would wait for the lock that an interrupted
    `wait()` holds, for ever. `queue.SimpleQueue.put` is documented as safe there.
    """

    def __init__(self) -> None:
        """Not set."""
        self._set = False
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()

    @property
    def is_set(self) -> bool:
        """Whether the end was asked for."""
        return self._set

    def set(self) -> None:
        """Ask for the end; to ask again changes nothing."""
        if not self._set:
            self._set = True
            self._bell.put(None)

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it was set within so many seconds; None waits without an end."""
        if seconds is not None:
            return self._set_within(seconds)
        # A signal that comes just before the thread falls asleep is handled when it wakes up.
        while not self._set_within(LOOK_SECONDS):
            pass
        return True

    def _set_within(self, seconds: float) -> bool:
        if not self._set:
            try:
                self._bell.get(timeout=seconds)
            except queue.Empty:
                return self._set
            self._bell.put(None)  # for whoever waits as well
        return True


def on_stop(ask: Callable[[], None]) -> None:
    """Call `ask` at every SIGTERM and SIGINT of this process."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ask())
