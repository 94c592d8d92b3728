"""Each thing that is wrong is said plainly, with the next step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_service.status.problems import duration, problems
from arena_service.status.report import ProcessRow, Queue, Status

WELL = Queue(3, 1, 20, 12.0, 1.5, 40)
SLOT = ProcessRow("matches", "here", 7, 2.0, None, "")
ENGINE = ProcessRow("engine", "127.0.0.1:5", 0, 0.0, None, "")


def status(queue: Queue = WELL, processes: tuple[ProcessRow, ...] = (SLOT, ENGINE)) -> Status:
    return Status(queue, (), (), processes)


def words(status: Status) -> list[str]:
    found = problems(status)
    assert all(each.advice for each in found)
    return [each.what for each in found]


def test_an_arena_at_work_has_no_problem() -> None:
    assert words(status()) == []
    assert words(status(processes=())) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tick_seconds": 31.0}, "has not ticked for 31 s"),
        ({"tick_seconds": None}, "does not tick"),
        ({"oldest_seconds": 301.0}, "the queue is 5 min old"),
        ({"oldest_seconds": 7200.0, "series_leased": 0}, "the queue is 2 h old"),
    ],
)
def test_clock_and_queue(change: dict[str, float | None], said: str) -> None:
    [found] = words(status(replace(WELL, **change)))
    assert said in found


def test_a_lost_slot_is_no_worker() -> None:
    lost = replace(SLOT, seen_seconds=60.0)
    assert words(status(processes=(lost, ENGINE))) == ["no match worker takes matches"]
    assert words(status(processes=(lost, SLOT, ENGINE))) == []


def test_a_service_that_does_not_answer_is_named_first() -> None:
    silent = replace(ENGINE, seen_seconds=60.0)
    queue = replace(WELL, tick_seconds=99.0)
    assert words(status(queue, (SLOT, silent)))[0] == "the engine does not answer at 127.0.0.1:5"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (119.4, "119 s"), (120, "2 min"), (7200, "2 h"), (2e5, "2 d")]
)
def test_durations_read_well(seconds: float, text: str) -> None:
    assert duration(seconds) == text
