"""Each thing that is wrong is said plainly, with the next step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_service.status.problems import MANY_FAILURES, duration, failures, problems
from arena_service.status.report import CauseCount, ProcessRow, Queue, Status

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


def test_the_failures_of_a_bot_are_none_of_the_arenas() -> None:
    many = CauseCount("bot", "crash", 10 * MANY_FAILURES)
    assert words(replace(status(), causes=(many,))) == []
    assert failures(replace(status(), causes=(many,))) == 0


def test_many_failures_of_the_engine_are_a_problem_with_the_newest() -> None:
    few = CauseCount("engine", "no answer", MANY_FAILURES - 1, goes_on=True)
    report = replace(status(), causes=(few,))
    assert words(report) == []
    assert failures(report) == MANY_FAILURES - 1
    report = replace(report, causes=(replace(few, count=MANY_FAILURES),))
    assert words(report) == ["50 attempts failed within 24 h, cause: engine; the newest: no answer"]
    assert "engine.log" in problems(report)[0].advice
    assert words(replace(report, causes=(replace(report.causes[0], goes_on=False),))) == []
    nameless = replace(few, what="", count=MANY_FAILURES)
    assert words(replace(report, causes=(nameless,))) == [
        "50 attempts failed within 24 h, cause: engine"
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (119.4, "119 s"), (120, "2 min"), (7200, "2 h"), (2e5, "2 d")]
)
def test_durations_read_well(seconds: float, text: str) -> None:
    assert duration(seconds) == text
