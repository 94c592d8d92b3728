"""The bank, the wall cap and whose fault a late answer is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.match.clock import Bank, hello_limits, is_late, is_stalled, wall_cap
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


@given(
    move=st.integers(1, 10_000),
    bank=st.integers(0, 100_000),
    used=st.lists(st.integers(0, 20_000), max_size=60),
)
def test_the_bank_is_what_the_answers_left_of_it(move: int, bank: int, used: list[int]) -> None:
    account = Bank(move, bank)
    for cpu_ms in used:
        before = account.left_ms
        fits = cpu_ms <= account.allowance_ms
        account.charge(cpu_ms)
        assert account.left_ms <= before
        assert fits == (account.left_ms >= 0) or before < 0
    assert account.left_ms == bank - sum(max(0, cpu_ms - move) for cpu_ms in used)


@pytest.mark.parametrize(
    ("wall", "stall", "late"),
    [
        (5000, 0, False),
        (5001, 0, True),
        (6999, 2000, False),
        (7001, 2000, True),
        (9999, 5000, False),
        (10001, 9000, True),  # a stall adds at most the cap itself
    ],
)
def test_the_stall_of_the_host_is_added_to_the_wall_cap(
    wall: float, stall: float, late: bool
) -> None:
    assert is_late(wall, 5000, stall) is late


def test_a_host_is_blamed_only_for_a_good_part_of_the_cap() -> None:
    assert is_stalled(stall_ms=2800, cap_ms=11000)
    assert not is_stalled(stall_ms=300, cap_ms=11000)


@given(allowance=st.floats(0.1, 1e6))
def test_a_bot_s_own_threads_can_never_pass_for_a_stalled_host(allowance: float) -> None:
    assert not is_stalled(stall_ms=allowance, cap_ms=wall_cap(allowance))
