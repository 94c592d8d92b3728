"""Matches played in this process, reported as a worker would, with evidence for their authors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from arena_service.work import AcceptedOutcome, PlannedMatch
from engine_service.client import Finished, LocalEngine, MatchStart, Turn

Choice = Callable[[Turn, str], str]


@dataclass(frozen=True)
class Script:
    """How a match goes: after `plies` asked decisions it ends by the `ending`; None: by its rules.

    At fault is `at_fault`, or who is to act; `limit` is what that seat is told.
    """

    plies: int | None = None
    ending: str = ""
    at_fault: int | None = None
    limit: str = ""


BY_THE_RULES = Script()


def first_legal(turn: Turn, version: str) -> str:
    """The first legal action, whoever plays."""
    return turn.legal[0]


def play(match: PlannedMatch, script: Script, choice: Choice = first_legal) -> Finished:
    """The match to its end, or to where the script stops it."""
    start = MatchStart(match.game, match.options, match.seats, match.seed)
    session = LocalEngine().play(start)
    asked = 0
    while not isinstance(session.offer, Finished):
        if asked == script.plies:
            if script.ending == "no_contest":
                return session.no_contest()
            actor = session.offer.seat
            return session.end(script.ending, actor if script.at_fault is None else script.at_fault)
        session.act(choice(session.offer, match.players[session.offer.seat]))
        asked += 1
    return session.offer


def play_all(
    db: Database,
    now: datetime,
    script: Callable[[PlannedMatch], Script | None] = lambda match: BY_THE_RULES,
    stderr: Callable[[str], str] = lambda version: "",
    choice: Choice = first_legal,
    series: int | None = None,
) -> None:
    """Lease and play what waits, at most so many `series`; a match without a script stays open."""
    work, leased = StoreWork(db, 60.0), 0
    while series is None or leased < series:
        assignment = work.lease("worker", now=now)
        if assignment is None:
            return
        leased += 1
        for match in assignment.matches:
            wanted = script(match)
            if wanted is not None:
                outcome = _outcome(match, wanted, play(match, wanted, choice), stderr)
                assert work.accept(assignment.series, assignment.fence, outcome, now=now)


def _outcome(
    match: PlannedMatch, script: Script, finished: Finished, stderr: Callable[[str], str]
) -> AcceptedOutcome:
    evidence = [
        _evidence(match, seat, script, finished, stderr(match.players[seat]))
        for seat in range(match.seats)
    ]
    cpu = [sum(row["cpu_per_ply"]) + row["start_cpu_ms"] for row in evidence]
    return AcceptedOutcome(match.match_id, finished.replay, cpu, evidence)


def _evidence(
    match: PlannedMatch, seat: int, script: Script, finished: Finished, stderr: str
) -> dict[str, Any]:
    plies = [
        index
        for index, ply in enumerate(finished.replay["plies"])
        if ply["seat"] == seat and not ply.get("forced")
    ]
    number = int(match.seed[:6], 16) + seat
    cpu = [round(1.5 + (number * (index + 3) % 97) / 12, 2) for index in plies]
    at_fault = finished.replay["result"]["at_fault"] == seat
    return {
        "seat": seat,
        "limit": script.limit if at_fault else "",
        "used_ms": cpu[-1] if cpu else 0.0,
        "start_cpu_ms": 41.5,
        "peak_bytes": 23 * 2**20,
        "last_view": '{"phase":1}',
        "last_line": '{"type":"ready"}',
        "stderr_tail": stderr,
        "cpu_per_ply": cpu,
        "wall_per_ply": [round(1.2 * value + 0.4, 2) for value in cpu],
        "notes": [[index, f"{stderr} at {index}"] for index in plies[:2]] if stderr else [],
    }
