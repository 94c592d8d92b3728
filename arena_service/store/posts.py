"""Whether what a worker posts is a replay of the planned match that can be stored."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from arena_service.store.tables import Match
from arena_service.work import AcceptedOutcome
from engine_service.core import replay as replay_file
from engine_service.core.errors import ReplayError
from engine_service.core.replay_shape import check_shape

MAX_PLIES = 10_000


def problem_of(match: Match, outcome: AcceptedOutcome) -> str:
    """What makes a post unusable for this plan; empty: nothing."""
    replay = outcome.replay
    try:
        check_shape(replay, replay_file.FORMAT)
    except ReplayError as error:
        return str(error)
    return _not_as_planned(match, replay) or _not_per_seat(match.seats, outcome) or _size(replay)


def plan_of(match: Match) -> dict[str, Any]:
    """What the replay of a match says of its plan, by the names of its fields."""
    return {
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "seats": match.seats,
        "seed": match.seed,
    }


def replay_bytes(replay: dict[str, Any]) -> bytes:
    """The replay document as it is stored."""
    return json.dumps(replay, sort_keys=True, separators=(",", ":")).encode()


def _not_as_planned(match: Match, replay: dict[str, Any]) -> str:
    for field, value in plan_of(match).items():
        if replay[field] != value:
            return f"not the planned {field}"
    return ""


def _not_per_seat(seats: int, outcome: AcceptedOutcome) -> str:
    result = outcome.replay["result"]
    if result["ending"] not in replay_file.ENDINGS:
        return "no known ending"
    if result["ending"] != replay_file.NO_CONTEST and not _are_ranks(result["ranks"], seats):
        return "ranks are not one per seat"
    if result["at_fault"] is not None and result["at_fault"] not in range(seats):
        return "at_fault is no seat"
    if len(outcome.seat_cpu_ms) != seats or not all(map(isfinite, outcome.seat_cpu_ms)):
        return "CPU times are not one per seat"
    kept = [item.get("seat") for item in outcome.evidence]
    if any(seat not in range(seats) for seat in kept) or len(set(kept)) < len(kept):
        return "evidence is not one per seat"
    return ""


def _are_ranks(ranks: Any, seats: int) -> bool:
    return (
        isinstance(ranks, list)
        and len(ranks) == seats
        and all(type(rank) is int and 1 <= rank <= seats for rank in ranks)
    )


def _size(replay: dict[str, Any]) -> str:
    if len(replay["plies"]) > MAX_PLIES or len(replay_bytes(replay)) > replay_file.MAX_BYTES:
        return f"more than {MAX_PLIES} plies or {replay_file.MAX_BYTES} bytes"
    return ""
