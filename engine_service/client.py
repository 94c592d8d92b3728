"""The engine as its callers know it: in this process, or a server at an address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from engine_service.remote import GrpcEngine
from engine_service.wire import queries
from engine_service.wire.match import Match
from engine_service.wire.messages import (
    EngineUnavailable,
    Finished,
    GameInfo,
    MatchOverError,
    MatchStart,
    Turn,
    Verdict,
)

__all__ = [
    "Engine",
    "EngineUnavailable",
    "Finished",
    "GameInfo",
    "GrpcEngine",
    "LocalEngine",
    "MatchOverError",
    "MatchSession",
    "MatchStart",
    "Turn",
    "Verdict",
]


class MatchSession(Protocol):
    """A match in play; errors are those of `engine_service.core.errors`."""

    @property
    def offer(self) -> Turn | Finished:
        """The decision to make, or the end."""
        ...

    def act(self, action: str | int) -> Turn | Finished:
        """Play an action by notation or id; IllegalActionError leaves the match as it was."""
        ...

    def end(self, ending: str, at_fault: int) -> Finished:
        """End by a fault or resignation of a seat."""
        ...

    def no_contest(self) -> Finished:
        """End a match that more than one side failed to start."""
        ...

    def spectator_view(self) -> bytes:
        """What everybody may see now, as JSON."""
        ...

    def close(self) -> None:
        """Let go of the match."""
        ...


class Engine(Protocol):
    """Games, matches and replays; raises the errors of core, or EngineUnavailable."""

    def games(self) -> list[GameInfo]:
        """All games that can be played."""
        ...

    def play(self, start: MatchStart) -> MatchSession:
        """Begin a match, or go on with one after `start.actions`."""
        ...

    def walk(self, replay: bytes, viewer: str) -> Iterator[dict[str, Any]]:
        """Frames with ply, seat, action, forced, view and actor; `viewer` as text."""
        ...

    def verify(self, replay: bytes) -> Verdict:
        """Play a replay again and compare everything."""
        ...

    def position(self, start: MatchStart, viewer: str) -> dict[str, Any]:
        """Ply, actor, view and, for the seat to move and `all`, legal and ids."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class LocalEngine:
    """The engine in this process."""

    def games(self) -> list[GameInfo]:
        """All games that are installed here."""
        return queries.games()

    def play(self, start: MatchStart) -> Match:
        """Begin a match, or go on with one after `start.actions`."""
        return Match(start)

    def walk(self, replay: bytes, viewer: str) -> Iterator[dict[str, Any]]:
        """Frames with ply, seat, action, forced, view and actor."""
        return queries.walk(replay, viewer)

    def verify(self, replay: bytes) -> Verdict:
        """Play a replay again and compare everything."""
        return queries.verify(replay)

    def position(self, start: MatchStart, viewer: str) -> dict[str, Any]:
        """Ply, actor, view and, for the seat to move and `all`, legal and ids."""
        return queries.position(start, viewer)

    def close(self) -> None:
        """Nothing to let go of."""
