"""What the kernel tells of a process, and how long the host kept it waiting."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from workers.match import stall
from workers.match.proc import ThreadState, peak_bytes, threads
from workers.match.stall import StallMeter

GONE = 2**22 + 1
FOREVER = "while True: pass"


@pytest.fixture
def crowded() -> Iterator[int]:
    """The pid of one of three processes that spin on one processor."""
    processor = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{processor}}})\n{FOREVER}"
    spinners = [subprocess.Popen([sys.executable, "-S", "-c", code]) for _ in range(3)]
    yield spinners[0].pid
    for spinner in spinners:
        spinner.kill()
        spinner.wait()


def measured(pid: int, enough_ms: float, seconds: float = 20) -> float:
    meter, until = StallMeter(pid), time.monotonic() + seconds
    while meter.ms < enough_ms and time.monotonic() < until:
        time.sleep(0.05)
        meter.look(0)
    return meter.ms


def test_waiting_for_a_busy_processor_is_measured(crowded: int) -> None:
    assert measured(crowded, enough_ms=300) >= 300


def test_the_wait_of_any_thread_counts() -> None:
    processor = min(os.sched_getaffinity(0))
    code = (
        f"import os, threading, time; os.sched_setaffinity(0, {{{processor}}})\n"
        f"def spin():\n    {FOREVER}\n"
        "threading.Thread(target=spin).start()\ntime.sleep(600)"
    )
    pair = [subprocess.Popen([sys.executable, "-S", "-c", code]) for _ in range(2)]
    try:
        assert measured(pair[0].pid, enough_ms=200) >= 200
    finally:
        for process in pair:
            process.kill()
            process.wait()


def test_sleeping_is_not_waiting_and_stopped_is_not_either() -> None:
    assert measured(os.getpid(), enough_ms=200, seconds=0.5) < 200
    sleeper = subprocess.Popen([sys.executable, "-S", "-c", FOREVER])
    try:
        sleeper.send_signal(signal.SIGSTOP)
        while any(state.runnable for state in threads(sleeper.pid).values()):
            time.sleep(0.01)
        assert measured(sleeper.pid, enough_ms=100, seconds=0.5) < 100
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_wait_that_still_lasts_is_counted_from_the_look_that_found_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter(range(100))
    asleep, queued = (
        ThreadState(7, 2_000_000, 3, runnable=False),
        ThreadState(7, 2_000_000, 3, True),
    )
    booked = ThreadState(8, 2_502_000_000, 4, runnable=True)
    states = iter([asleep, asleep, queued, queued, queued, booked, asleep])
    monkeypatch.setattr(stall.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(stall, "threads", lambda pid: {"1": next(states)})
    meter, seen = StallMeter(1), []
    meter.look(0)
    for _ in range(6):
        meter.look(0)
        seen.append(meter.ms)
    assert seen == [0, 0, 1000, 2000, 2500, 2500]


def test_a_runner_that_stood_still_itself_is_a_stalled_host() -> None:
    meter = StallMeter(os.getpid())
    for late_ms in (-3, 4000, 2000):
        meter.look(late_ms)
    assert meter.ms == 6000


def test_a_process_that_is_gone_tells_nothing() -> None:
    assert threads(GONE) == {}
    assert peak_bytes(GONE) is None
    meter = StallMeter(GONE)
    meter.look(0)
    assert meter.ms == 0


def test_the_peak_is_what_was_once_resident() -> None:
    code = "x = bytearray(64 << 20); del x; print(flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        peak = peak_bytes(process.pid)
        assert peak is not None
        assert 64 << 20 <= peak < 200 << 20
    finally:
        process.kill()
        process.communicate()
    assert peak_bytes(process.pid) is None


def test_all_threads_are_told() -> None:
    done = threading.Event()
    others = [threading.Thread(target=done.wait) for _ in range(2)]
    for thread in others:
        thread.start()
    assert len(threads(os.getpid())) >= 3
    done.set()
