"""How long a search goes on: a number of iterations, or CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Clock = Callable[[], float]  # seconds


@dataclass(frozen=True, slots=True)
class Iterations:
    """So many iterations: the same search each time.

    `at_most_ms` of CPU time ends it before the arena would call it a time-out.
    """

    number: int
    at_most_ms: float
    clock: Clock = time.process_time

    def __iter__(self) -> Iterator[int]:
        """Number the iterations from 0; there is one at least."""
        end = self.clock() + self.at_most_ms / 1000
        for number in range(self.number):
            yield number
            if self.clock() >= end:
                return


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """As many iterations as fit in the CPU time, which no two runs agree on."""

    cpu_ms: float
    clock: Clock = time.process_time

    def __iter__(self) -> Iterator[int]:
        """Number the iterations from 0; there is one at least, and the last may end late."""
        end, number = self.clock() + self.cpu_ms / 1000, 0
        while number == 0 or self.clock() < end:
            yield number
            number += 1


Budget = Iterations | Milliseconds
