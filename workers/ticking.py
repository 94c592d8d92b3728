"""How beat sends the ticks: by a clock that never steps, and again and again while nobody hears."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from celery.beat import ScheduleEntry, Scheduler, SchedulingError
from celery.schedules import schedule

from engine_service.logs import get_logger

# What nobody read for so long is dropped; the clocks of two machines may differ by as much.
STALE_SECONDS = 30.0

log = get_logger("interrex.beat")


def steady() -> datetime:
    """The time since the machine began: a clock that is set back an hour is no hour of silence."""
    return datetime.fromtimestamp(time.monotonic(), UTC)


def every(seconds: float) -> schedule:
    """A schedule of so many seconds that really pass."""
    return schedule(seconds, nowfun=steady)


class Ticker(Scheduler):  # type: ignore[misc]
    """Keeps the schedule in memory: ticks carry no state, so there is no file to be locked."""

    def apply_entry(self, entry: ScheduleEntry, producer: object = None) -> None:
        """Send what is due; a broker that is away is told in a line, and asked at the next tick."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.warning("no tick can be sent: the broker does not answer", error=str(error))
