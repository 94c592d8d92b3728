"""A busy machine: processes that do nothing but take processors."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

MINUTES = 15
# Ends with its parent and, whatever happens, after some minutes.
HOG = """
import os, sys, time
parent, until, processor = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
if processor >= 0:
    os.sched_setaffinity(0, {processor})
while os.getppid() == parent and time.monotonic() < until:
    for _ in range(100_000):
        pass
"""


@contextmanager
def hogs(count: int = 4, processor: int = -1) -> Iterator[None]:
    """Keep every processor busy, or one of them; the hogs are gone afterwards."""
    until = time.monotonic() + 60 * MINUTES
    line = [sys.executable, "-S", "-c", HOG, str(os.getpid()), str(until), str(processor)]
    herd: list[subprocess.Popen[bytes]] = []
    try:
        # Each in a session of its own: the kernel may share the processors among sessions.
        herd.extend(subprocess.Popen(line, start_new_session=True) for _ in range(count))
        yield
    finally:
        for hog in herd:
            hog.kill()
        for hog in herd:
            hog.wait()
