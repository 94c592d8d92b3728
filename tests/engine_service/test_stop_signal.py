"""A signal that comes while the main thread waits for it ends the wait, at whatever moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from engine_service.stop_signal import StopSignal

ROUNDS = 1000
# A lock that both sides take hangs within a hundred rounds, a sleep that nothing wakes in a few.
RACE = f"""
import random, signal
from engine_service.stop_signal import StopSignal
for _ in range({ROUNDS}):
    stop = StopSignal()
    signal.signal(signal.SIGALRM, lambda *_: stop.set())
    signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-6, 6e-5))
    assert stop.wait(WAIT) or stop.wait()
print("ended")
"""


@pytest.mark.parametrize("seconds", ["1e-4", "None"])
def test_a_signal_at_any_moment_ends_the_wait(seconds: str) -> None:
    race = [sys.executable, "-c", RACE.replace("WAIT", seconds)]
    done = subprocess.run(race, capture_output=True, timeout=60, check=True)
    assert done.stdout == b"ended\n"


def test_a_wait_without_an_end_is_ended_by_a_signal() -> None:
    stop = StopSignal()
    before = signal.signal(signal.SIGALRM, lambda *_: stop.set())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert stop.wait()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert stop.is_set


def test_who_waits_again_is_told_at_once() -> None:
    stop = StopSignal()
    assert not stop.wait(0.01)
    stop.set()
    stop.set()
    began = time.monotonic()
    assert stop.wait(60.0)
    assert stop.wait()
    assert time.monotonic() - began < 30.0
