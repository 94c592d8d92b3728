"""What slots, the clock and its beat tell Prometheus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client import Counter, Histogram

from engine_service.metrics import SECONDS

PLY_SECONDS = Histogram(
    "interrex_ply_seconds",
    "From asking a bot to its answer, on the clock of the machine.",
    ["game"],
    buckets=SECONDS,
)
LEASES = Counter("interrex_leases", "Series that a slot has leased.")
TICK_SECONDS = Histogram(
    "interrex_tick_seconds", "What a tick of the arena's clock took.", buckets=SECONDS
)
STEP_FAILURES = Counter(
    "interrex_tick_failures", "Steps of a tick that failed, and ticks without a database.", ["step"]
)
TOKENS = Counter("interrex_tokens", "Content-free messages sent through the broker.", ["task"])


def count_plies(game: str, evidence: Iterable[Mapping[str, Any]]) -> None:
    """The plies of a match that has ended."""
    for seat in evidence:
        for milliseconds in seat["wall_per_ply"]:
            PLY_SECONDS.labels(game).observe(milliseconds / 1000)
