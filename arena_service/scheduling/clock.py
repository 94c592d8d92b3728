"""When a ladder's next slot is due."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from arena_service.store.errors import InvalidError

MAX_CRON_LENGTH = 100


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name; raises InvalidError."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidError(
            "timezone", f"an IANA name such as Europe/Berlin, got {name[:80]!r}"
        ) from error


def next_due(cron: str, timezone: str, after: datetime) -> datetime:
    """The first instant of the schedule later than `after`; raises InvalidError."""
    if len(cron) > MAX_CRON_LENGTH or len(cron.split()) != 5:
        raise InvalidError("cron", f"exactly five fields, got {cron[:MAX_CRON_LENGTH]!r}")
    try:
        return next(CronSim(cron, after.astimezone(zone(timezone)))).astimezone(UTC)
    except (CronSimError, StopIteration) as error:
        raise InvalidError("cron", f"a schedule that comes round, got {cron!r}") from error
