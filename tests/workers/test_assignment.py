"""A series from its lease to its outcomes: a check, whose version sits on every seat."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena_service.store.terms import DEFAULT_LIMITS
from arena_service.work import AcceptedOutcome, Assignment, Late, PlannedMatch
from bots.packing import pack
from engine_service.client import LocalEngine
from workers import assignment
from workers.match.series import BotSource, LegPlan
from workers.sandbox.limits import Limits
from workers.sandbox.staging import Runtime

GREEDY = Path(__file__).parents[2] / "bots" / "baselines" / "greedy"
ARCHIVE = pack(GREEDY)
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()


class Kept:
    """Work that keeps what is accepted."""

    def __init__(self) -> None:
        self.outcomes: list[AcceptedOutcome] = []

    def lease(self, worker: str) -> Assignment | None:
        return None

    def progress(self, series: str, fence: int, plies: dict[str, int]) -> bool:
        return True

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        self.outcomes.append(outcome)
        return True

    def fail(
        self, series: str, fence: int, cause: str, detail: str, late: Late | None = None
    ) -> None:
        raise AssertionError(detail)

    def artifact(self, sha256: str) -> bytes:
        return ARCHIVE


def check(match_id: str, seats: int = 2, game: str = "claim") -> PlannedMatch:
    seed = hashlib.sha256(match_id.encode()).hexdigest()
    seeds = tuple(f"{seat:032x}" for seat in range(seats))
    return PlannedMatch(match_id, game, 1, {}, seats, seed, 0, 0, ["v"] * seats, seeds)


def series(*matches: PlannedMatch) -> Assignment:
    attempts = {match.match_id: "attempt" for match in matches}
    artifacts = {"v": (SHA256, ["python3", "main.py"])}
    return Assignment("series", 1, attempts, "", list(matches), artifacts, {})


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime.prepare(tmp_path)


def test_a_version_plays_itself_in_every_match_of_its_check(runtime: Runtime) -> None:
    work = Kept()
    try:
        assignment.play(series(check("a"), check("b")), work, LocalEngine(), runtime)
    finally:
        runtime.close()
    assert [each.match_id for each in work.outcomes] == ["a", "b"]
    assert {each.replay["result"]["ending"] for each in work.outcomes} == {"completed"}
    assert [len(each.evidence) for each in work.outcomes] == [2, 2]


def test_the_limits_of_a_check_are_those_at_home() -> None:
    assert Limits.from_plain(DEFAULT_LIMITS) == Limits()


def test_games_of_a_check_may_differ_in_seats(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[int, list[tuple[int, ...]]]] = []

    def record(
        engine: object, players: Sequence[BotSource], legs: Sequence[LegPlan], *rest: object
    ) -> None:
        played.append((len(players), [leg.seating for leg in legs]))

    monkeypatch.setattr(assignment, "play_series", record)
    few, many = check("a"), check("b", seats=4, game="four-winds")
    try:
        assignment.play(series(few, many), Kept(), LocalEngine(), runtime)
    finally:
        runtime.close()
    assert played == [(4, [(0, 1), (0, 1, 2, 3)])]
