"""A tournament for the tests, of the game that no engine knows, played by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from arena_service.scheduling import slots
from arena_service.scheduling import tournaments as schedule
from arena_service.store import tournaments
from arena_service.store.database import Database
from arena_service.store.entries import Entered
from arena_service.store.settings import PLAIN, Settings
from arena_service.store.tournaments import TournamentRow
from tests.arena_service.store.arena import GAME, NOON, SmallArena, play_all

LATER = NOON + timedelta(minutes=1)


@dataclass
class Cup:
    """An open tournament with entered bots."""

    db: Database
    entries: int = 3
    seats: int = 2
    pairs: int = 2
    format: str = "round_robin"
    settings: Settings = PLAIN
    arena: SmallArena = field(init=False)
    id: str = field(init=False)

    def __post_init__(self) -> None:
        """Create everything up to open entries; the ladder of the arena stays empty."""
        self.arena = SmallArena(self.db, seats=self.seats, entries=0)
        self.id = self.create("cup").id
        for number in range(self.entries):
            self.enter(f"bot-{number}")

    def create(self, name: str, **changes: Any) -> TournamentRow:
        """Create a tournament of the same kind."""
        terms: dict[str, Any] = {
            "seats": self.seats,
            "pairs": self.pairs,
            "format": self.format,
            "settings": self.settings,
            "rules_version": 1,
        }
        return tournaments.create_tournament(
            self.db, self.arena.owner, name, GAME, {}, **(terms | changes)
        )

    def again(self, name: str) -> None:
        """Go on with another tournament of the same bots."""
        self.id = self.create(name).id
        for number in range(self.entries):
            self.enter(f"bot-{number}")

    def enter(self, name: str) -> Entered:
        """Submit a bot and enter it."""
        return tournaments.enter(self.db, self.id, self.arena.submit(name).bot_id)

    def start(self, now: datetime = NOON) -> TournamentRow:
        """Close the entries."""
        return schedule.start(self.db, self.id, now)

    def cancel(self, now: datetime = LATER) -> TournamentRow:
        """End it before its last match."""
        return schedule.cancel(self.db, self.id, now)

    def play(self, now: datetime = LATER) -> None:
        """Play what waits and let the clock complete it."""
        play_all(self.arena, now)
        slots.tick(self.db, now)

    def play_to_the_end(self, now: datetime = LATER) -> int:
        """Round by round; returns how many there were."""
        count = 0
        while self.show().state == "running":
            self.play(now)
            count += 1
        return count

    def show(self) -> TournamentRow:
        """As everybody sees it."""
        return tournaments.show(self.db, self.id)
