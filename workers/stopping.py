"""How a slot ends in order: between two matches, or within a match that lasts too long."""

from __future__ import annotations

import time

from engine_service.stop_signal import StopSignal


class Stopped(RuntimeError):
    """The slot was asked to end; what it has not played goes back."""


class Stopping:
    """Asked for by a signal, looked at by the slot; the match in play gets `grace` seconds more."""

    def __init__(self, grace: float) -> None:
        """Nobody has asked yet."""
        self._grace = grace
        self._signal = StopSignal()
        self._asked_at = 0.0

    def ask(self) -> None:
        """End soon; to ask again changes nothing."""
        if not self._signal.is_set:
            self._asked_at = time.monotonic()
            self._signal.set()

    @property
    def is_asked(self) -> bool:
        """Whether no other match shall begin."""
        return self._signal.is_set

    def wait(self, seconds: float) -> bool:
        """Whether it was asked for within so many seconds."""
        return self._signal.wait(seconds)

    def between_matches(self) -> None:
        """A match has ended: raises Stopped when it was the last."""
        if self.is_asked:
            raise Stopped("the slot was asked to end")

    def within_match(self) -> None:
        """A match is in play: raises Stopped when the grace is over."""
        if self.is_asked and time.monotonic() - self._asked_at >= self._grace:
            raise Stopped(f"the slot was asked to end {self._grace:.0f} s ago")


NEVER = Stopping(0.0)
