"""A slot of a ladder between two owners, played match by match as a worker would report it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena_service.scheduling.slots import tick
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from arena_service.store.work_store import StoreWork
from arena_service.work import AcceptedOutcome, Assignment, PlannedMatch
from bots.packing import PackedFile, pack_files
from cli.client import Arena
from engine_service.client import Finished, LocalEngine, MatchStart
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    EnterLadderRequest,
    RunLadderNowRequest,
)

PAIRS = 2


@dataclass
class Slot:
    """A leased slot between the bots of two owners, one match after the other."""

    work: StoreWork
    assignment: Assignment

    def play(self, match: PlannedMatch) -> None:
        """Play a match by first legal actions and report it."""
        start = MatchStart(match.game, match.options, match.seats, match.seed)
        session = LocalEngine().play(start)
        while not isinstance(session.offer, Finished):
            session.act(session.offer.legal[0])
        self.report(match, session.offer.replay, {})

    def report(self, match: PlannedMatch, replay: dict[str, Any], limits: dict[int, str]) -> None:
        """Report a match that ended as its replay says; `limits` are the broken ones, by seat."""
        evidence = [_evidence(seat, limits.get(seat, "")) for seat in range(match.seats)]
        outcome = AcceptedOutcome(match.match_id, replay, [1.5, 2.5], evidence)
        assert self.work.accept(self.assignment.series, self.assignment.fence, outcome)

    def legs(self, pair: int) -> list[PlannedMatch]:
        """The matches of a pair."""
        return [match for match in self.assignment.matches if match.pair == pair]


def _evidence(seat: int, limit: str) -> dict[str, Any]:
    return {
        "seat": seat,
        "limit": limit,
        "used_ms": 0.5,
        "start_cpu_ms": 12.5,
        "peak_bytes": 2**20,
        "last_view": f'{{"secret of seat": {seat}}}',
        "last_line": "x",
        "stderr_tail": f"log of seat {seat}",
        "cpu_per_ply": [] if limit else [0.5, 0.25],
        "wall_per_ply": [1.0, 2.0],
        "notes": [[3, "hm"]],
    }


def pass_checks(db: Database) -> None:
    """Play the check matches that wait; nothing else may wait."""
    work = StoreWork(db, 60.0)
    while (assignment := work.lease("tests")) is not None:
        checked = Slot(work, assignment)
        for match in assignment.matches:
            checked.play(match)


def enter(db: Database, people: dict[str, Arena]) -> None:
    """Make the ladder `daily`, due now, with an active bot of each person, named as the person."""
    creator = next(iter(people.values()))
    creator.ladders.CreateLadder(
        CreateLadderRequest(name="daily", game="claim", pairs_per_slot=PAIRS)
    )
    for name, arena in people.items():
        manifest = f'name = "{name}"\ngames = ["claim"]\nrun = ["python3", "main.py"]\n'
        files = {"bot.toml": PackedFile(manifest.encode()), "main.py": PackedFile(b"")}
        arena.submit(pack_files(files))
        arena.ladders.EnterLadder(EnterLadderRequest(ladder="daily", bot=name))
    pass_checks(db)
    creator.ladders.RunLadderNow(RunLadderNowRequest(ladder="daily"))


def lease(db: Database) -> Slot:
    """Close the slot that is due and lease it."""
    tick(db, now_utc())
    work = StoreWork(db, 60.0)
    assignment = work.lease("tests")
    assert assignment is not None
    return Slot(work, assignment)
