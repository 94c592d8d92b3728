"""Clocks of a match: CPU time is judged, the wall cap only catches those who sleep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workers.sandbox.limits import Limits

WALL_FLOOR_MS = 5000.0
WALL_FACTOR = 5.0
VOID_ATTEMPTS = 3  # of one seat in one match; late once more on a stalled host, it lost on time
STALLED_SHARE = 0.25  # of the wall cap spent waiting for a processor
VOID_ATTEMPTS = 3  # at one match with one seat late; late once more it loses by time-out


class HostStall(RuntimeError):
    """A bot passed the wall cap on a host that let it wait: the attempt is void, nobody lost."""

    def __init__(self, match_id: str, seat: int, stall_ms: float) -> None:
        """`seat` was the one to answer; the third such attempt is that bot's time-out."""
        super().__init__(f"match {match_id}: seat {seat} waited {stall_ms:.0f} ms for a processor")
        self.match_id = match_id
        self.seat = seat
        self.stall_ms = stall_ms


def hello_limits(limits: Limits) -> dict[str, int]:
    """The limits as a hello tells them."""
    return {
        "start_cpu_ms": limits.start_cpu_ms,
        "move_cpu_ms": limits.move_cpu_ms,
        "bank_cpu_ms": limits.bank_cpu_ms,
        "wall_ms": int(wall_cap(limits.move_cpu_ms + limits.bank_cpu_ms)),
    }


def wall_cap(allowance_ms: float) -> float:
    """The wall cap of an answer that may take `allowance_ms` of CPU time."""
    return max(WALL_FLOOR_MS, WALL_FACTOR * allowance_ms)


@dataclass
class Bank:
    """One seat's CPU account in one match."""

    move_ms: float
    left_ms: float

    @property
    def allowance_ms(self) -> float:
        """CPU time the next answer may take before the bank is below zero."""
        return self.move_ms + self.left_ms

    @property
    def wall_ms(self) -> float:
        """The wall cap of the next answer."""
        return wall_cap(self.allowance_ms)

    def charge(self, cpu_ms: float) -> None:
        """Take what an answer used beyond its budget; below zero is a time-out."""
        self.left_ms -= max(0.0, cpu_ms - self.move_ms)

    def to_turn(self) -> dict[str, int]:
        """The clock as a turn tells it."""
        return {"bank_cpu_ms": int(self.left_ms), "wall_ms": int(self.wall_ms)}


def is_stalled(stall_ms: float, cap_ms: float) -> bool:
    """Whether a host that let a bot wait `stall_ms` is to blame for a passed wall cap."""
    return stall_ms >= STALLED_SHARE * cap_ms


def waited_ms(pid: int) -> float:
    """How long the main thread of a process has been runnable without a processor, so far.

    A sleeping bot does not wait, so sleeping on a busy host is no excuse. Unknown counts as zero.
    """
    try:
        fields = Path(f"/proc/{pid}/schedstat").read_text().split()
        return int(fields[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0
