"""A small arena for the tests: accounts, bots, a ladder of a game that no engine knows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from arena_service.scheduling import slots
from arena_service.scheduling.checks import Check
from arena_service.store import accounts, bots, ladders
from arena_service.store.database import Database
from arena_service.store.work_store import StoreWork
from arena_service.work import AcceptedOutcome, Assignment, PlannedMatch
from bots.manifest import Manifest

GAME = "three-stones"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LEASE = 60.0


@dataclass
class SmallArena:
    """A ladder with entered bots; `due` is when its first slot closes."""

    db: Database
    seats: int = 2
    entries: int = 3
    pairs: int = 2
    name: str = ""
    owner: str = ""
    ladder: str = ""
    versions: list[str] = field(default_factory=list)
    due: datetime = NOON + timedelta(hours=1)

    def __post_init__(self) -> None:
        """Create everything up to open entries."""
        token = accounts.create_user(self.db, f"ann{self.name or self.seats}")
        user = accounts.by_token(self.db, token)
        assert user is not None
        self.owner = user.id
        self.ladder = ladders.create_ladder(
            self.db,
            user.id,
            f"stones{self.name or self.seats}",
            GAME,
            {},
            self.seats,
            "0 * * * *",
            "UTC",
            self.pairs,
            rules_version=1,
            now=NOON,
        ).id
        for number in range(self.entries):
            self.enter(f"bot-{number}")

    def enter(self, name: str, content: bytes = b"") -> bots.BotVersionRow:
        """Submit a bot's archive and enter it."""
        version = self.submit(name, content)
        ladders.enter(self.db, self.ladder, version.bot_id)
        self.versions.append(version.id)
        return version

    def submit(
        self, name: str, content: bytes = b"", checks: Sequence[Check] = ()
    ) -> bots.BotVersionRow:
        """Submit a bot's archive; without `checks` it is active at once."""
        manifest = Manifest(name, (GAME,), ("python3", "main.py"), "json")
        archive = content or name.encode()
        return bots.submit(self.db, self.owner, name, archive, manifest, checks)

    def close(self, at: datetime | None = None) -> None:
        """Let the clock close the slot that is due."""
        slots.tick(self.db, at or self.due)

    def work(self, lease_seconds: float = LEASE) -> StoreWork:
        """A worker's door."""
        return StoreWork(self.db, lease_seconds)


def lease(arena: SmallArena, worker: str = "w", **later: float) -> Assignment:
    """A lease that a worker gets when the first slot is due, or so much `later`."""
    found = arena.work().lease(worker, now=arena.due + timedelta(**later))
    assert found is not None
    return found


def outcome(match: PlannedMatch, ranks: list[int] | None = None, **result: Any) -> AcceptedOutcome:
    """What a runner would report; without ranks seat 0 wins."""
    order = ranks or list(range(1, match.seats + 1))
    ending = {"ending": "completed", "ranks": order, "at_fault": None, "score": {}} | result
    replay: dict[str, Any] = {
        "format": "replay/1",
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "seats": match.seats,
        "seed": match.seed,
        "deal": {},
        "players": [],
        "plies": [{"seat": 0, "action": "x"}],
        "result": ending,
    }
    replay["digest"] = hashlib.sha256(repr(replay).encode()).hexdigest()
    evidence = [
        {
            "seat": seat,
            "limit": "",
            "used_ms": None,
            "last_view": "{}",
            "last_line": '{"type":"ready"}',
            "stderr_tail": f"seat {seat}",
            "cpu_per_ply": [1.5],
            "notes": [[0, "hm"]],
        }
        for seat in range(match.seats)
    ]
    return AcceptedOutcome(match.match_id, replay, [1.0] * match.seats, evidence)


def no_contest(match: PlannedMatch) -> AcceptedOutcome:
    """More than one side failed to start."""
    return outcome(match, ending="no_contest", ranks=None)


def play(work: StoreWork, assignment: Assignment, now: datetime) -> None:
    """Accept an outcome for every match of a lease."""
    for match in assignment.matches:
        assert work.accept(assignment.series, assignment.fence, outcome(match), now=now)


def play_all(arena: SmallArena, now: datetime) -> int:
    """Lease and play until nothing waits; returns how many series there were."""
    work, count = arena.work(), 0
    while (assignment := work.lease("w", now=now)) is not None:
        play(work, assignment, now)
        count += 1
    return count
