"""Who is blamed for silence: every kind of bot on every kind of host, on a fake clock."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_service.client import MatchStart, Turn
from workers.match import asking, stall
from workers.match.asking import LOOK_S, put
from workers.match.clock import HostStall
from workers.match.proc import ThreadState
from workers.match.runner import Act, Ask, MatchRunner, Step, Stop
from workers.sandbox.faults import Answer, Fault
from workers.sandbox.launch import BotProcess
from workers.sandbox.limits import Limits

LIMITS = Limits(start_cpu_ms=1000, move_cpu_ms=200, bank_cpu_ms=1800)
ALLOWANCE_MS, CAP_MS, LOOK_MS = 2000, 10_000, LOOK_S * 1000
ANSWER = b'{"type":"action","turn":0,"action":"G1"}'


class FakeBot:
    """A bot that sleeps, then computes, on a host that gives it a share of a processor."""

    pid = 1

    def __init__(self, sleep_ms: float, compute_ms: float, share: float) -> None:
        self.sleep_ms, self.compute_ms, self.share = sleep_ms, compute_ms, share
        self.now_ms = 0.0
        self.stopped = True
        self.cap_ms = 0.0

    def monotonic(self) -> float:
        return self.now_ms / 1000

    def runnable_ms(self) -> float:
        return max(0.0, self.now_ms - self.sleep_ms)

    def cpu_ms(self) -> float:
        return self.runnable_ms() * self.share

    def threads(self, pid: int) -> dict[str, ThreadState]:
        waited_ns = int(self.runnable_ms() * (1 - self.share) * 1e6)
        ran_ns = int(self.cpu_ms() * 1e6)
        return {"1": ThreadState(ran_ns, waited_ns, 0, runnable=self.runnable_ms() > 0)}

    def ask(self, line: bytes, cpu_ms: float, wall_ms: float) -> None:
        self.cap_ms, self.stopped = cpu_ms, False

    def stop(self) -> None:
        self.stopped = True

    def poll(self, timeout: float) -> Answer | None:
        """Judges the CPU time alone, as the sandbox does without a wall cap."""
        needed = min(self.compute_ms, self.cap_ms)
        over_at = self.sleep_ms + (needed / self.share if self.share else float("inf"))
        until = self.now_ms + timeout * 1000
        self.now_ms = min(until, max(over_at, self.now_ms))
        if over_at > until:
            return None
        if self.compute_ms > self.cap_ms:
            return Answer(None, needed, self.now_ms, Fault("timeout", "CPU"))
        return Answer(ANSWER, needed, self.now_ms)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Puts a fake bot's clock and its account with the scheduler in place."""
    return monkeypatch


def asked(bot: FakeBot, clock: pytest.MonkeyPatch, *, excused: bool = True) -> Step | HostStall:
    """What comes of the first turn of a match when it is put to `bot`."""
    clock.setattr(asking.time, "monotonic", bot.monotonic)
    clock.setattr(stall, "threads", bot.threads)
    start = MatchStart(game="claim", options={}, seats=2, seed="00" * 32)
    no_excuse = frozenset() if excused else frozenset({0})
    match = MatchRunner("m", start, ["0" * 32, "1" * 32], LIMITS, no_excuse)
    match.begin(Turn(0, 0, 0, b"{}", ["G1", "G2"], [1, 2], b"[]", (0, 1)))
    match.answered(Answer(b'{"type":"ready"}', 1, 1))
    ask = match.answered(Answer(b'{"type":"ready"}', 1, 1))
    assert isinstance(ask, Ask)
    assert (ask.cpu_ms, ask.wall_ms) == (ALLOWANCE_MS, CAP_MS)
    reply, stall_ms = put(ask, cast(BotProcess, bot))
    try:
        return match.answered(reply, stall_ms)
    except HostStall as void:
        return void


shares = st.floats(0, 1)
sleeps = st.floats(0, 4 * CAP_MS)
anything = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@anything
@given(compute=st.floats(0, ALLOWANCE_MS), share=shares)
def test_a_bot_within_its_cpu_time_never_loses_to_a_busy_host(
    clock: pytest.MonkeyPatch, compute: float, share: float
) -> None:
    end = asked(FakeBot(0, compute, share), clock)
    assert end == Act("G1") or (isinstance(end, HostStall) and end.stall_ms > CAP_MS)


@anything
@given(sleep=sleeps, share=st.floats(0.01, 1))
def test_a_mere_sleeper_is_never_excused(
    clock: pytest.MonkeyPatch, sleep: float, share: float
) -> None:
    bot = FakeBot(sleep, 0, share)
    step = asked(bot, clock)
    if abs(sleep - CAP_MS) > LOOK_MS:
        assert step == (Act("G1") if sleep < CAP_MS else Stop("timeout", 0))


@anything
@given(sleep=sleeps, compute=st.floats(0, ALLOWANCE_MS))
def test_a_quiet_host_is_never_blamed(
    clock: pytest.MonkeyPatch, sleep: float, compute: float
) -> None:
    bot = FakeBot(sleep, compute, share=1.0)
    step = asked(bot, clock)
    if abs(sleep + compute - CAP_MS) > LOOK_MS:
        assert step == (Act("G1") if sleep + compute < CAP_MS else Stop("timeout", 0))


@anything
@given(sleep=sleeps, compute=st.floats(0, 3 * ALLOWANCE_MS), share=shares)
def test_every_bot_frees_its_worker_and_no_answer_beyond_the_cpu_time_counts(
    clock: pytest.MonkeyPatch, sleep: float, compute: float, share: float
) -> None:
    bot = FakeBot(sleep, compute, share)
    end = asked(bot, clock)
    assert end in (Act("G1"), Stop("timeout", 0)) or isinstance(end, HostStall)
    assert end != Act("G1") or compute <= ALLOWANCE_MS
    assert bot.now_ms <= 2 * CAP_MS + LOOK_MS + 1


@anything
@given(sleep=sleeps, compute=st.floats(0, 3 * ALLOWANCE_MS), share=shares)
def test_without_an_excuse_silence_is_the_bot_s(
    clock: pytest.MonkeyPatch, sleep: float, compute: float, share: float
) -> None:
    bot = FakeBot(sleep, compute, share)
    assert asked(bot, clock, excused=False) in (Act("G1"), Stop("timeout", 0))


class FrozenBot(FakeBot):
    """Both the runner and the host stand still for a minute in every wait."""

    def poll(self, timeout: float) -> Answer | None:
        answer = super().poll(timeout)
        self.now_ms += 60_000
        return answer


def test_a_runner_that_stood_still_takes_the_answer_that_waits(clock: pytest.MonkeyPatch) -> None:
    assert asked(FrozenBot(50, 10, share=1.0), clock) == Act("G1")


def test_a_host_that_stood_still_as_a_whole_makes_the_attempt_void(
    clock: pytest.MonkeyPatch,
) -> None:
    assert isinstance(asked(FrozenBot(90_000, 10, share=1.0), clock), HostStall)
