"""What the engine and its callers tell each other, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine_service.core.errors import RulesError

MESSAGE_BYTES = 16 * 2**20  # the most that one message of gRPC may hold, either way


class EngineUnavailable(ConnectionError):
    """The engine cannot be reached, went away or failed; the match can be played again."""


class MatchOverError(RulesError):
    """The match has ended; it takes no more actions and ends only once."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the match is over")

    def __reduce__(self) -> tuple[type[MatchOverError], tuple[()]]:
        """Survive the way to another process."""
        return type(self), ()


@dataclass(frozen=True)
class GameInfo:
    """A game that the engine can play."""

    name: str
    title: str
    rules_version: int
    seat_counts: tuple[int, ...]
    max_plies: int


@dataclass(frozen=True)
class MatchStart:
    """A match from its deal on; `actions` are the plies so far, forced ones included.

    `seed` is 64 hexadecimal digits; a `rules_version` of None means whatever is installed.
    """

    game: str
    options: dict[str, Any]
    seats: int
    seed: str
    actions: tuple[str, ...] = ()
    rules_version: int | None = None


@dataclass(frozen=True)
class Turn:
    """A decision to make. `view` and `events` are JSON, built from what the seat may see.

    `turn` counts the decisions asked of this seat from 0; `legal` and `ids` run in parallel;
    `teams` has the team of every seat.
    """

    seat: int
    turn: int
    ply: int
    view: bytes
    legal: list[str]
    ids: list[int]
    events: bytes
    teams: tuple[int, ...]


@dataclass(frozen=True)
class Finished:
    """The match has ended: its replay, still without players."""

    replay: dict[str, Any]
    plies: int


@dataclass(frozen=True)
class Verdict:
    """Whether a replay is true; `ply` is the first wrong one, None where no ply is to blame."""

    ok: bool
    game: str
    plies: int
    digest: str
    problem: str
    ply: int | None
