"""What the database of an arena says, read beside the arena that runs on it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from arena_service.store.database import open_database
from arena_service.store.states import (
    AttemptOutcome,
    EventState,
    MatchState,
    SeriesState,
    now_utc,
)
from arena_service.store.tables import Attempt, Event, Ladder, Match, Result, Series

OF_EVENT = col(Match.event).is_not(None)


class Books:
    """Counts of matches, attempts and leases; `db` may also be used to work against the arena.

    Check matches are not counted as matches.
    """

    def __init__(self, url: str) -> None:
        """Open the database."""
        self.db = open_database(url)

    def count(self, table: Any, *conditions: Any) -> int:
        """How many rows there are."""
        with self.db.read() as session:
            return session.scalar(select(func.count()).select_from(table).where(*conditions)) or 0

    def planned(self) -> int:
        """All matches but those that were cancelled."""
        return self.count(Match, OF_EVENT, col(Match.state) != MatchState.CANCELLED)

    def cancelled(self) -> int:
        """Matches that will never be played."""
        return self.count(Match, OF_EVENT, col(Match.state) == MatchState.CANCELLED)

    def started_cups(self) -> int:
        """Tournaments that were started, whatever became of them."""
        return self.count(
            Event, col(Event.tournament).is_not(None), col(Event.state) != EventState.OPEN
        )

    def left(self) -> int:
        """Matches without a result."""
        return self.count(Match, OF_EVENT, col(Match.state) == MatchState.PLANNED)

    def accepted(self) -> int:
        """Results."""
        return self.count(Result, col(Result.match).in_(select(col(Match.id)).where(OF_EVENT)))

    def attempts(self) -> dict[str, int]:
        """Tries by outcome, with their cause where they failed."""
        with self.db.read() as session:
            rows = session.execute(select(col(Attempt.outcome), col(Attempt.cause)))
            return Counter(f"{outcome} ({cause})" if cause else outcome for outcome, cause in rows)

    def open_attempts(self) -> int:
        """Tries that nobody ended."""
        return self.count(Attempt, col(Attempt.outcome) == AttemptOutcome.OPEN)

    def is_over(self) -> bool:
        """Whether nothing is due and every closed event is complete."""
        running = self.count(Event, col(Event.state) == EventState.RUNNING)
        due = self.count(Ladder, col(Ladder.next_due) <= now_utc())
        return running == 0 and due == 0

    def in_play(self) -> dict[int, tuple[str, int]]:
        """By process id of a slot: the series that it holds, and the fence of its lease."""
        held = (col(Series.state) == SeriesState.LEASED, col(Series.event).is_not(None))
        with self.db.read() as session:
            rows = session.scalars(select(Series).where(*held))
            return {_pid(row.worker): (row.id, row.fence) for row in rows}

    def is_held(self, series: str, fence: int) -> bool:
        """Whether that lease still stands."""
        held = col(Series.state) == SeriesState.LEASED
        return self.count(Series, col(Series.id) == series, col(Series.fence) == fence, held) == 1


def _pid(worker: str | None) -> int:
    """The process id at the end of a worker's name; 0 for the test itself."""
    digits = (worker or "").rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0
