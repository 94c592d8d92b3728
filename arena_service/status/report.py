"""How an arena is doing, as plain values; nothing here needs a database."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from arena_service.access import Action, MatchSubject, Viewer, may

LOST_SECONDS = 20.0
BOT = "bot"


@dataclass(frozen=True)
class Queue:
    """What waits and what moves; ages in seconds.

    `oldest_seconds` is of the oldest series that may be leased now, None: none waits;
    `tick_seconds` since the arena's clock ticked last, None: no clock has announced itself.
    """

    series_waiting: int
    series_leased: int
    matches_waiting: int
    oldest_seconds: float | None
    tick_seconds: float | None
    matches_last_minute: int


@dataclass(frozen=True)
class RunningMatch:
    """A match in play; `competition` is empty for a check match, `seconds` since it began.

    `private_to` is the owner of a check match's bot, and None for every other match.
    """

    match_id: str
    competition: str
    ply: int
    seconds: float
    private_to: str | None = None

    def seen_by(self, viewer: Viewer) -> RunningMatch:
        """Without its id where `viewer` may not know of it."""
        subject = MatchSubject(pair_complete=False, private_to=self.private_to)
        if may(viewer, Action.WATCH, subject):
            return self
        return replace(self, match_id="", private_to=None)


@dataclass(frozen=True)
class CauseCount:
    """How often something went wrong: `what` is a bot's ending, or the newest detail.

    `goes_on`: it did within the last minutes, or a match that it hit is still to be played; a
    bot's endings are results and go on never.
    """

    cause: str
    what: str
    count: int
    goes_on: bool = False


@dataclass(frozen=True)
class ProcessRow:
    """A process that announced itself, or a service that was asked (then `pid` is 0).

    `seen_seconds` since its last sign of life; `restarts`: how many that were killed it followed.
    """

    kind: str
    host: str
    pid: int
    seen_seconds: float
    started_at: datetime | None
    detail: str
    restarts: int = 0

    @property
    def lives(self) -> bool:
        """Whether its last sign of life is young enough."""
        return self.seen_seconds < LOST_SECONDS


@dataclass(frozen=True)
class Status:
    """The whole report; running matches the longest first, faults the most frequent first."""

    queue: Queue
    running: tuple[RunningMatch, ...]
    causes: tuple[CauseCount, ...]
    processes: tuple[ProcessRow, ...]

    def seen_by(self, viewer: Viewer) -> Status:
        """What `viewer` may see of it: check matches are nameless to all but their owner.

        Processes, and the details of the arena's own failures, are for members.
        """
        running = tuple(each.seen_by(viewer) for each in self.running)
        if may(viewer, Action.SEE_PROCESSES, None):
            return replace(self, running=running)
        causes = tuple(
            each if each.cause == BOT else replace(each, what="") for each in self.causes
        )
        return replace(self, running=running, causes=causes, processes=())
