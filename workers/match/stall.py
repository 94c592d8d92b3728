"""How long the host keeps a bot from answering: the stall that is added to its wall cap."""

from __future__ import annotations

import time
from dataclasses import dataclass

from workers.match.proc import ThreadState, threads


@dataclass
class _Waiting:
    """One thread's wait for a processor since the first look at it."""

    before_ns: int
    seen: ThreadState
    still_since: float

    def look(self, state: ThreadState, now: float) -> float:
        """The wait up to `now` in ms: what is booked, and one that still lasts.

        Runnable and not moved from one look to the next is waiting; a sleeper is not runnable.
        """
        if state != self.seen or not state.runnable:
            self.seen, self.still_since = state, now
        return (state.waited_ns - self.before_ns) / 1e6 + (now - self.still_since) * 1000


class StallMeter:
    """Measures the host while a question is open; `ms` is the stall so far.

    The host stalls when it lets a thread of the bot wait for a processor, or the runner itself.
    The longer of the two counts, not their sum: on a busy host both wait at the same time.
    Threads are measured from the first look on, so that a quick answer costs no look at all.
    """

    def __init__(self, pid: int) -> None:
        """Looks at nothing yet; `pid` is the bot's."""
        self.ms = 0.0
        self._pid = pid
        self._runner_ms = 0.0
        self._threads: dict[str, _Waiting] = {}

    def look(self, overslept_ms: float) -> None:
        """Bring `ms` up to date; the runner has slept so much longer than it meant to."""
        self._runner_ms += max(0.0, overslept_ms)
        now = time.monotonic()
        waits = [self._runner_ms]
        for thread, state in threads(self._pid).items():
            waiting = self._threads.setdefault(thread, _Waiting(state.waited_ns, state, now))
            waits.append(waiting.look(state, now))
        self.ms = max(self.ms, *waits)
