"""What a match worker knows of the arena: the next assignment, and where its outcomes go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

# The kinds of process that play: one wakes by the broker's tokens, one asks again and again.
WOKEN, POLLING = "matches", "polling"


def slot_name(host: str, pid: int) -> str:
    """The name under which a slot leases."""
    return f"{host}-{pid}"


@dataclass(frozen=True)
class PlannedMatch:
    """One match of a series; `players` (bot version ids) and `bot_seeds` in the order of seats.

    `voided` counts, by seat, the attempts that a stalled host made void while that seat was asked.
    """

    match_id: str
    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    seed: str
    leg: int
    pair: int
    players: list[str]
    bot_seeds: tuple[str, ...]
    voided: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Late:
    """The seat of a match that passed its wall cap on a stalled host."""

    match_id: str
    seat: int


@dataclass(frozen=True)
class Assignment:
    """A leased series: only its unfinished matches. `attempts` maps match id to attempt id.

    `event` is empty for a check match.
    """

    series: str
    fence: int
    attempts: dict[str, str]
    event: str
    matches: list[PlannedMatch]
    artifacts: dict[str, tuple[str, list[str]]]
    limits: dict[str, int]


@dataclass(frozen=True)
class AcceptedOutcome:
    """How a match ended, with what was measured; CPU times in the order of seats."""

    match_id: str
    replay: dict[str, Any]
    seat_cpu_ms: list[float]
    evidence: list[dict[str, Any]]


class WorkUnavailable(RuntimeError):
    """The arena does not answer now; what was asked for may work a moment later."""


class WorkRefused(RuntimeError):
    """The arena lets this worker do nothing: its token is unknown or was revoked."""


class Work(Protocol):
    """The one interface between match workers and the arena.

    All of it raises WorkUnavailable, and WorkRefused where the worker shows a token.
    """

    def lease(self, worker: str) -> Assignment | None:
        """The next series for `worker`, or None when nothing waits."""

    def progress(self, series: str, fence: int, plies: dict[str, int]) -> bool:
        """Report the ply of matches; False: the lease is lost, nothing more may be reported."""

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        """Report an ended match; True when its result stands, also when posted before."""

    def fail(
        self, series: str, fence: int, cause: str, detail: str, late: Late | None = None
    ) -> None:
        """Give the unfinished matches back; `cause` is engine, worker, infrastructure, operator.

        `late` is the seat that a stalled host kept waiting.
        """

    def artifact(self, sha256: str) -> bytes:
        """The archive with this hash."""
