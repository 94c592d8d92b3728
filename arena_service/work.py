"""What a match worker knows of the arena: the next assignment, and where its outcomes go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class PlannedMatch:
    """One match of a series; `players` (bot version ids) and `bot_seeds` in the order of seats."""

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


@dataclass(frozen=True)
class Assignment:
    """A leased series: only its unfinished matches. `attempts` maps match id to attempt id."""

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


class Work(Protocol):
    """The one interface between match workers and the arena."""

    def lease(self, worker: str) -> Assignment | None:
        """The next series for `worker`, or None when nothing waits."""

    def progress(self, series: str, fence: int, plies: dict[str, int]) -> bool:
        """Report the ply of matches; False: the lease is lost, nothing more may be reported."""

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        """Report an ended match; True when its result stands, also when posted before."""

    def fail(self, series: str, fence: int, cause: str, detail: str) -> None:
        """Give the unfinished matches back; `cause` is engine, worker, infrastructure, operator."""

    def artifact(self, sha256: str) -> bytes:
        """The archive with this hash."""
