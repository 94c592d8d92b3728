"""A tournament or a challenge that is being played, followed in the terminal until it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import grpc
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from cli.client import Arena
from cli.output import warn
from interrex.arena.v1.tournament_service_pb2 import (
    Progress,
    ShowTournamentRequest,
    WatchTournamentRequest,
)

ENDED = frozenset({"complete", "cancelled"})
AGAIN_SECONDS = 1.0
PATIENCE_SECONDS = 60.0


def follow(arena: Arena, tournament: str, again: str) -> None:
    """Draw its progress on stderr until it has ended; `again` is the command to come back with."""
    try:
        _draw(arena, tournament)
    except KeyboardInterrupt:
        warn(f"{tournament} goes on without you; come back with: {again} {tournament}")
        raise


def _draw(arena: Arena, tournament: str) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None, count="", left="")
        for seen in _looks(arena, tournament):
            planned = seen.pairs_planned
            bar.update(
                task,
                description="pairs" if planned else _nothing_planned(seen.state),
                total=planned or None,
                completed=seen.pairs_done,
                count=f"{seen.pairs_done}/{planned}" if planned else "",
                left=left(seen),
            )


def _nothing_planned(state: str) -> str:
    """Why there are no pairs to count."""
    if state in ENDED:
        return "nothing to play"
    return {"open": "not started", "paused": "paused"}.get(state, "the first pairs are planned")


def left(seen: Progress) -> str:
    """The time left, in words; empty while nothing tells it."""
    if not seen.HasField("eta_seconds"):
        return ""
    return f"{timedelta(seconds=round(seen.eta_seconds))} left"


def _looks(arena: Arena, tournament: str) -> Iterator[Progress]:
    """Progress until the end: the arena ends a stream in time, or is away for a moment."""
    state, seen_at = "", time.monotonic()
    while state not in ENDED:
        try:
            for answer in arena.tournaments.WatchTournament(
                WatchTournamentRequest(tournament=tournament)
            ):
                state, seen_at = answer.progress.state, time.monotonic()
                yield answer.progress
        except grpc.RpcError as error:
            code = error.code() if isinstance(error, grpc.Call) else None
            if code is grpc.StatusCode.RESOURCE_EXHAUSTED:  # every place is taken: look once
                request = ShowTournamentRequest(tournament=tournament)
                seen = arena.tournaments.ShowTournament(request).progress
                state, seen_at = seen.state, time.monotonic()
                yield seen
            elif not state or time.monotonic() - seen_at > PATIENCE_SECONDS:
                raise
            time.sleep(AGAIN_SECONDS)
