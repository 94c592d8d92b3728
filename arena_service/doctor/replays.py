"""Every replay is played again by the engine and says what schedule and result say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena_service.doctor.records import Record
from arena_service.doctor.report import Oddity, Proof
from arena_service.store.posts import plan_of
from arena_service.store.tables import Match, Result
from engine_service.client import Engine
from engine_service.core import replay as replay_file
from engine_service.core.errors import ReplayError


class Replays:
    """Judges the replay of one record after the other.

    The engine plays one version of the rules of a game. Replays of others are compared, not played
    again: they are counted and told as odd.
    """

    def __init__(self, engine: Engine, proof: Proof) -> None:
        """The judge, and where its verdicts go."""
        self._engine, self._proof = engine, proof
        self._rules = {game.name: game.rules_version for game in engine.games()}
        self._unplayed: dict[tuple[str, int], int] = {}

    def judge(self, record: Record) -> None:
        """Take the replay of a match that has a result."""
        if record.result is not None:
            self._proof.take(f"match {record.match.id}", self._problems(record, record.result))

    def oddities(self) -> list[Oddity]:
        """Which rules could not be played again."""
        return [
            Oddity("replays not played again", f"{game} rules {version}", f"{count} matches")
            for (game, version), count in sorted(self._unplayed.items())
        ]

    def _problems(self, record: Record, result: Result) -> Iterator[str]:
        try:
            replay = self._read(record.match, result)
        except ReplayError as error:
            yield f"its replay does not hold: {error}"
            return
        yield from _compared(record, result, replay)

    def _read(self, match: Match, result: Result) -> dict[str, Any]:
        """The document, played again where that is possible; raises ReplayError."""
        replay = replay_file.read(result.replay)
        if self._rules.get(match.game) == match.rules_version:
            verdict = self._engine.verify(result.replay)
            if not verdict.ok:
                raise ReplayError(verdict.ply, verdict.problem)
            return replay
        rules = (match.game, match.rules_version)
        self._unplayed[rules] = self._unplayed.get(rules, 0) + 1
        if replay_file.digest(replay) != replay["digest"]:
            raise ReplayError(None, "wrong digest")
        return replay


def _compared(record: Record, result: Result, replay: dict[str, Any]) -> Iterator[str]:
    ranks = [row.rank for row in record.seat_results]
    found = {**replay, **replay["result"], "plies": len(replay["plies"])}
    if found["ranks"] is None:
        found["ranks"] = [None] * record.match.seats
    expected = plan_of(record.match) | _of_result(result)
    expected |= {"players": record.players, "ranks": ranks}
    for field, value in expected.items():
        if found.get(field) != value:
            yield f"{field} in its replay is not as stored with the match"


def _of_result(result: Result) -> dict[str, Any]:
    return {
        "digest": result.digest,
        "ending": result.ending,
        "at_fault": result.at_fault,
        "plies": result.plies,
    }
