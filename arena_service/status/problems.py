"""What is wrong with an arena and what to do next, in words for its operator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena_service.status.report import BOT, ProcessRow, Status
from arena_service.work import POLLING, WOKEN

CLOCK_SECONDS = 30.0
QUEUE_SECONDS = 300.0
NEEDED = ("engine", "broker")
MANY_FAILURES = 50  # one lost worker fails a whole series of attempts
LOGS = {"engine": "engine.log"}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong and the next step."""

    what: str
    advice: str


def problems(status: Status) -> list[Problem]:
    """Everything that is wrong, the cause before its effects; empty: all is well.

    A report without processes, as spectators get it, is judged by its queue alone.
    """
    return [
        *_services(status.processes),
        *_clock(status),
        *_workers(status),
        *_failures(status),
        *_queue(status),
    ]


def failures(status: Status) -> int:
    """How many attempts failed within the last 24 h by no fault of a bot."""
    return sum(each.count for each in status.causes if each.cause != BOT)


def go_on(status: Status) -> bool:
    """Whether attempts still fail, or what failed is still to be played."""
    return any(each.goes_on for each in status.causes)


def _services(processes: tuple[ProcessRow, ...]) -> Iterator[Problem]:
    for each in processes:
        if each.kind in NEEDED and not each.lives:
            yield Problem(
                f"the {each.kind} does not answer at {each.host}",
                f"see {each.kind}.log; one that died is started again by itself, one that hangs "
                "must be killed first",
            )


def _clock(status: Status) -> Iterator[Problem]:
    age = status.queue.tick_seconds
    advice = "see worker-control.log and beat.log; both and the broker must run"
    if age is None:
        yield Problem("the arena's clock does not tick: no control worker runs", advice)
    elif age > CLOCK_SECONDS:
        yield Problem(f"the arena's clock has not ticked for {duration(age)}", advice)


def _workers(status: Status) -> Iterator[Problem]:
    if not status.processes:
        return
    slots = [each for each in status.processes if each.kind in (WOKEN, POLLING)]
    if not any(each.lives for each in slots):
        yield Problem(
            "no match worker takes matches",
            "see worker-matches.log; `interrex play random random` says whether the sandbox works "
            "on a machine",
        )


def _failures(status: Status) -> Iterator[Problem]:
    for each in status.causes:
        if each.cause != BOT and each.goes_on and each.count >= MANY_FAILURES:
            newest = f"; the newest: {each.what}" if each.what else ""
            yield Problem(
                f"{each.count} attempts failed within 24 h, cause: {each.cause}{newest}",
                f"see {LOGS.get(each.cause, 'worker-matches.log')}; they are played again",
            )


def _queue(status: Status) -> Iterator[Problem]:
    queue = status.queue
    age = queue.oldest_seconds
    if age is None or age <= QUEUE_SECONDS:
        return
    if queue.series_leased == 0:
        advice = "nothing is played: see worker-matches.log"
    else:
        advice = "give the arena more slots: interrex up --slots N"
    yield Problem(f"the queue is {duration(age)} old", advice)


def duration(seconds: float) -> str:
    """A span of time as people say it: `12 s`, `4 min`, `3 h`, `2 d`."""
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
