"""Wrong tokens are bounded: so many from one address within a while."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

TRIES = 10
WITHIN_SECONDS = 60.0
MAX_ADDRESSES = 1000


class Throttle:
    """Remembers wrong tries of this process; the longest silent address is forgotten first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock, self._lock = clock, threading.Lock()
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether the address may try now."""
        with self._lock:
            tries = self._wrong.get(address, deque())
            while tries and tries[0] <= self._clock() - WITHIN_SECONDS:
                tries.popleft()
            return len(tries) < TRIES

    def note_wrong(self, address: str) -> None:
        """The address showed an unknown token."""
        with self._lock:
            tries = self._wrong.setdefault(address, deque(maxlen=TRIES))
            tries.append(self._clock())
            self._wrong.move_to_end(address)
            if len(self._wrong) > MAX_ADDRESSES:
                self._wrong.popitem(last=False)
