"""Ask a real bot and wait for its answer, for as long as the clocks allow."""

from __future__ import annotations

import math
import time

from workers.match.clock import is_late
from workers.match.runner import Ask
from workers.match.stall import StallMeter
from workers.sandbox.faults import Answer, Fault
from workers.sandbox.launch import BotProcess

LOOK_S = 0.1  # how often the wall clock and the host are looked at


def put(ask: Ask, process: BotProcess) -> tuple[Answer, float]:
    """The answer, or the fault that came instead, and the stall of the host in ms.

    The sandbox watches the CPU time; silence is judged here, where the stall is known. An answer
    that is read counts, however late the runner itself came to read it.
    """
    meter = StallMeter(process.pid)
    used_ms, asked = process.cpu_ms(), time.monotonic()
    process.ask(ask.line, ask.cpu_ms, math.inf)
    looked = asked
    while (answer := process.poll(LOOK_S)) is None:
        now = time.monotonic()
        meter.look(overslept_ms=(now - looked - LOOK_S) * 1000)
        looked, wall_ms = now, (now - asked) * 1000
        if is_late(wall_ms, ask.wall_ms, meter.ms):
            process.stop()
            return _silent(process.cpu_ms() - used_ms, wall_ms, meter.ms), meter.ms
    return answer, meter.ms


def _silent(cpu_ms: float, wall_ms: float, stall_ms: float) -> Answer:
    detail = f"no answer after {wall_ms:.0f} ms of wall time"
    if stall_ms >= 1:
        detail += f", {stall_ms:.0f} ms of it the host's"
    return Answer(None, cpu_ms, wall_ms, Fault("timeout", detail, wall=True))
