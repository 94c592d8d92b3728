"""When slots are due: once for each time of the schedule, through every change of the clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlmodel import col

from arena_service.scheduling.clock import next_due
from arena_service.store import ladders
from arena_service.store.database import Database
from arena_service.store.tables import Event, Ladder
from tests.arena_service.store.arena import SmallArena, play_all

# The nights in which clocks go forward and back; in Lord Howe's by half an hour.
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham", "UTC")
YEAR = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def instants(cron: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    """Every time of a schedule, one after the other."""
    found, at = [], start
    while (at := next_due(cron, zone, at)) <= end:
        found.append(at)
    return found


@settings(deadline=None, max_examples=8)
@given(st.integers(0, 59), st.integers(0, 23), st.sampled_from(ZONES))
def test_a_time_of_day_comes_once_on_every_day(minute: int, hour: int, zone: str) -> None:
    """Also on the day that has no such hour, and on the one that has it twice."""
    found = instants(f"{minute} {hour} * * *", zone, *YEAR)
    days = [at.astimezone(ZoneInfo(zone)).date() for at in found]
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
    assert len(days) in (364, 365, 366)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Chatham"])
@pytest.mark.parametrize(
    "start", [datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 9, 15, tzinfo=UTC)]
)
def test_what_runs_by_the_hour_follows_real_time(zone: str, start: datetime) -> None:
    """No slot is left out and none comes twice while the clocks change."""
    found = instants("0 * * * *", zone, start, start + timedelta(days=50))
    assert {after - before for before, after in pairwise(found)} == {timedelta(hours=1)}


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["30 2 * * *", "0 3 * * *", "*/20 * * * *", "15 1,2,3 * * *", "0 2 * * 0"]),
    st.sampled_from(ZONES),
    st.sampled_from([date(2026, 3, 8), date(2026, 3, 29), date(2026, 4, 5), date(2026, 10, 25)]),
    st.integers(0, 2 * 24 * 60),
)
def test_the_next_time_is_the_same_from_wherever_one_asks(
    cron: str, zone: str, change: date, minutes: int
) -> None:
    start = datetime(change.year, change.month, change.day, tzinfo=UTC) - timedelta(days=1)
    asked = start + minutes * MINUTE
    times = instants(cron, zone, start, start + timedelta(days=9))
    assert next_due(cron, zone, asked) == min(at for at in times if at > asked)


@pytest.mark.parametrize(
    ("night", "closed"),
    [
        (datetime(2026, 3, 28, 23, 0, tzinfo=UTC), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        (datetime(2026, 10, 24, 23, 0, tzinfo=UTC), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
    ],
    ids=["the hour that is left out", "the hour that comes twice"],
)
def test_a_night_in_which_the_clocks_change_has_one_slot(
    database: Database, night: datetime, closed: datetime
) -> None:
    arena = SmallArena(database)
    with database.write() as session:
        row = session.get_one(Ladder, arena.ladder)
        row.cron, row.timezone = "30 2 * * *", "Europe/Berlin"
        row.next_due = next_due(row.cron, row.timezone, night)
    for half_hours in range(9):
        now = night + 30 * half_hours * MINUTE
        arena.close(now)
        play_all(arena, now)
    with database.read() as session:
        found = select(col(Event.closed_at)).where(col(Event.closed_at).is_not(None))
        assert list(session.scalars(found)) == [closed]
    following = ladders.show(database, arena.ladder).next_due
    assert following.astimezone(ZoneInfo("Europe/Berlin")).hour == 2
    assert following.date() == closed.date() + timedelta(days=1)
