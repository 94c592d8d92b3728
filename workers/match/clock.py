"""Clocks of a match: CPU time is judged, the wall cap only catches those who sleep."""

from __future__ import annotations

from dataclasses import dataclass

from workers.sandbox.limits import Limits

WALL_FLOOR_MS = 5000.0
WALL_FACTOR = 5.0
# A bot's own threads can make each other wait for at most its allowance, a fifth of the cap: with
# a quarter taken the host has a part in it.
STALLED_SHARE = 0.25
VOID_ATTEMPTS = 3  # at one match with one seat late; late once more it loses by time-out


class HostStall(RuntimeError):
    """A bot passed its wall cap on a stalled host: the attempt is void, nobody lost."""

    def __init__(self, match_id: str, seat: int, stall_ms: float) -> None:
        """`seat` was asked; after VOID_ATTEMPTS such attempts it has no excuse any more."""
        super().__init__(f"match {match_id}: the host stalled for {stall_ms:.0f} ms on seat {seat}")
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
    """The wall cap of an answer that may take `allowance_ms` of CPU time, on a quiet host."""
    return max(WALL_FLOOR_MS, WALL_FACTOR * allowance_ms)


def is_late(wall_ms: float, cap_ms: float, stall_ms: float) -> bool:
    """Whether a bot that has been silent for `wall_ms` has passed its cap.

    The cap grows by the stall of the host, at most to its double: a bot that gets no processor at
    all must still free its worker.
    """
    return wall_ms > cap_ms + min(stall_ms, cap_ms)


def is_stalled(stall_ms: float, cap_ms: float) -> bool:
    """Whether a host that stalled for `stall_ms` may be to blame for a passed cap."""
    return stall_ms >= STALLED_SHARE * cap_ms


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
