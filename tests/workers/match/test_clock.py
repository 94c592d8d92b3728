"""The bank, the wall cap and whose fault a late answer is."""

import os
import subprocess
import sys
import time

import pytest

from workers.match.clock import Bank, hello_limits, is_stalled, waited_ms, wall_cap
from workers.sandbox.limits import Limits


def test_hello_tells_the_limits_of_the_bot_protocol() -> None:
    assert hello_limits(Limits()) == {
        "start_cpu_ms": 5000,
        "move_cpu_ms": 200,
        "bank_cpu_ms": 2000,
        "wall_ms": 11000,
    }


@pytest.mark.parametrize(("allowance", "cap"), [(10, 5000), (1000, 5000), (2030, 10150)])
def test_the_wall_cap_is_five_times_the_allowance_but_five_seconds_at_least(
    allowance: float, cap: float
) -> None:
    assert wall_cap(allowance) == cap


def test_only_what_exceeds_the_budget_is_taken_from_the_bank() -> None:
    bank = Bank(move_ms=200, left_ms=2000)
    bank.charge(199)
    bank.charge(370)
    assert bank.to_turn() == {"bank_cpu_ms": 1830, "wall_ms": 10150}
    assert bank.allowance_ms == 2030


def test_a_host_is_blamed_only_for_a_good_part_of_the_cap() -> None:
    assert is_stalled(stall_ms=2800, cap_ms=11000)
    assert not is_stalled(stall_ms=300, cap_ms=11000)


def test_sleeping_is_not_waiting_for_a_processor() -> None:
    before = waited_ms(os.getpid())
    time.sleep(0.2)
    assert waited_ms(os.getpid()) - before < 100


def test_waiting_for_a_busy_processor_is_measured() -> None:
    processor = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"
    spinners = [subprocess.Popen([sys.executable, "-S", "-c", code]) for _ in range(3)]
    try:
        until = time.monotonic() + 20
        while waited_ms(spinners[0].pid) < 200 and time.monotonic() < until:
            time.sleep(0.05)
        assert waited_ms(spinners[0].pid) >= 200
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def test_a_process_that_is_gone_has_not_waited() -> None:
    assert waited_ms(2**22 + 1) == 0.0
