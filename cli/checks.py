"""A version's check as an author follows it: the wait, what was measured, and the verdict."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console

from cli.client import Arena
from cli.failures import Failure
from cli.listing import Listing
from cli.output import table
from interrex.arena.v1.bot_service_pb2 import BotLog, BotVersion, GetBotRequest, GetBotResponse

CHECKING, ACTIVE = "checking", "active"
POLL_SECONDS = 0.3
CHECK_SECONDS = 600.0
COLUMNS = (
    "game",
    "ending",
    "plies",
    "start CPU",
    "memory",
    "CPU per ply",
    "slowest ply",
    "whole match",
)


@dataclass(frozen=True)
class SeatMeasures:
    """What one seat used; `peak_bytes` is None where it was not measured."""

    start_cpu_ms: float
    peak_bytes: int | None
    cpu_ms_per_ply: Sequence[float]


@dataclass(frozen=True)
class Measured:
    """A match of a version against itself."""

    game: str
    ending: str
    plies: int
    seats: Sequence[SeatMeasures]


def wait_until_checked(
    arena: Arena, versions: Iterable[BotVersion], seconds: float = CHECK_SECONDS
) -> list[GetBotResponse]:
    """Wait until each version is checked; raises Failure when it takes longer than `seconds`."""
    deadline = time.monotonic() + seconds
    return [_checked(arena, version, deadline) for version in versions]


def _checked(arena: Arena, version: BotVersion, deadline: float) -> GetBotResponse:
    name = f"{version.bot} version {version.version}"
    with Console(stderr=True).status(f"{name} plays against itself"):
        while True:
            request = GetBotRequest(bot=version.bot, version=version.version)
            answer = arena.bots.GetBot(request)
            if answer.version.state != CHECKING:
                return answer
            if time.monotonic() > deadline:
                raise Failure(
                    f"{name} still waits for its check; the arena plays it when it has a worker: "
                    f"interrex bot log {version.bot}"
                )
            time.sleep(POLL_SECONDS)


def measured(log: BotLog) -> Measured:
    """What the arena keeps of a check match."""
    seats = [
        SeatMeasures(
            kept.start_cpu_ms,
            kept.peak_bytes if kept.HasField("peak_bytes") else None,
            kept.cpu_ms_per_ply,
        )
        for kept in log.evidence
    ]
    match = log.match
    return Measured(match.game, match.ending or match.state, match.plies, seats)


def measures_table(matches: Iterable[Measured]) -> Listing:
    """A row for each game; of its seats always the one that used most."""
    return table(COLUMNS, [_row(match) for match in matches], spare=("whole match", "start CPU"))


def _row(match: Measured) -> tuple[str, ...]:
    plies = [cpu for seat in match.seats for cpu in seat.cpu_ms_per_ply]
    whole = [seat.start_cpu_ms + sum(seat.cpu_ms_per_ply) for seat in match.seats]
    peaks = [seat.peak_bytes for seat in match.seats if seat.peak_bytes is not None]
    return (
        match.game,
        match.ending,
        str(match.plies),
        _ms(max((seat.start_cpu_ms for seat in match.seats), default=None)),
        f"{max(peaks) / 2**20:.0f} MiB" if peaks else "-",
        _ms(sum(plies) / len(plies) if plies else None),
        _ms(max(plies, default=None)),
        _ms(max(whole, default=None)),
    )


def _ms(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"
