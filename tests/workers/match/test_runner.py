"""The course of a match on a fake clock: replies and offers go in, steps come out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_service.client import Finished, MatchStart, Turn
from workers.match.clock import HostStall
from workers.match.runner import Act, Ask, MatchRunner, Over, Step, Stop
from workers.sandbox.faults import Answer, Fault
from workers.sandbox.limits import Limits

READY = Answer(b'{"type":"ready"}', 40.0, 60.0)
COMPLETED = {"ending": "completed", "ranks": [2, 1], "at_fault": None, "score": {}}


def runner(seats: int = 2, no_excuse: frozenset[int] = frozenset()) -> MatchRunner:
    start = MatchStart(game="claim", options={}, seats=seats, seed="00" * 32)
    seeds = [f"{seat:032x}" for seat in range(seats)]
    return MatchRunner("m1", start, seeds, Limits(), no_excuse)


def turn(seat: int, number: int, ply: int = 0, teams: tuple[int, ...] = (0, 1)) -> Turn:
    view = json.dumps({"turn": number}).encode()
    return Turn(seat, number, ply, view, ["G1", "G2"], [1, 2], b"[]", teams)


def finished(**result: Any) -> Finished:
    return Finished({"result": {**COMPLETED, **result}}, plies=52)


def action(number: int, cpu_ms: float = 10.0, **fields: Any) -> Answer:
    message = {"type": "action", "turn": number, "action": "G1", **fields}
    return Answer(json.dumps(message).encode(), cpu_ms, cpu_ms + 5)


def fault(ending: Any, cpu_ms: float = 1.0, wall: bool = False) -> Answer:
    return Answer(None, cpu_ms, 11000.0, Fault(ending, "it went wrong", wall))


def started(match: MatchRunner, first: Turn | Finished) -> Step:
    match.begin(first)
    match.answered(READY)
    return match.answered(READY)


def asked(step: Step) -> dict[str, Any]:
    assert isinstance(step, Ask)
    message: dict[str, Any] = json.loads(step.line)
    return message


def test_all_bots_start_in_seat_order_before_the_first_turn() -> None:
    match = runner()
    first = match.begin(turn(0, 0))
    second = match.answered(READY)
    third = match.answered(READY)
    assert isinstance(first, Ask)
    assert (first.cpu_ms, first.wall_ms) == (5000, 25000)
    assert [asked(step)["type"] for step in (first, second, third)] == ["hello", "hello", "turn"]
    assert [asked(step)["seat"] for step in (first, second)] == [0, 1]


def test_a_match_goes_from_turns_to_its_result_and_says_goodbye() -> None:
    match = runner()
    step = started(match, turn(0, 0))
    step = match.answered(action(0, note="lead low"))
    assert step == Act("G1")
    step = match.offered(turn(1, 1, ply=1))
    assert isinstance(step, Ask)
    assert step.seat == 1
    assert match.answered(action(1, action=2)) == Act(2)
    over = match.offered(finished())
    assert isinstance(over, Over)
    farewells = [(seat, json.loads(line)["rank"]) for seat, line in over.farewells]
    assert farewells == [(0, 2), (1, 1)]
    assert over.broken == frozenset()
    assert match.records[0].notes == [[0, "lead low"]]
    assert match.records[0].cpu_per_ply == [10.0]
    assert match.records[0].total_ms == 50.0
    assert match.records[1].last_view == '{"turn": 1}'


def test_the_clock_of_a_turn_shows_what_is_left_in_the_bank() -> None:
    match = runner()
    started(match, turn(0, 0))
    match.answered(action(0, cpu_ms=370))
    step = match.offered(turn(0, 1, ply=2))
    assert asked(step)["clock"] == {"bank_cpu_ms": 1830, "wall_ms": 10150}
    assert isinstance(step, Ask)
    assert (step.cpu_ms, step.wall_ms) == (2030, 10150)


def test_the_bank_of_one_seat_is_not_that_of_the_other() -> None:
    match = runner()
    started(match, turn(0, 0))
    match.answered(action(0, cpu_ms=2100))
    assert asked(match.offered(turn(1, 1, ply=1)))["clock"]["bank_cpu_ms"] == 2000


def test_an_answer_that_empties_the_bank_exactly_still_counts() -> None:
    match = runner()
    started(match, turn(0, 0))
    assert match.answered(action(0, cpu_ms=2200)) == Act("G1")


def test_an_answer_beyond_the_bank_is_a_time_out_although_it_came() -> None:
    match = runner()
    started(match, turn(0, 0))
    assert match.answered(action(0, cpu_ms=2201)) == Stop("timeout", 0)
    assert "2200 ms were left" in match.records[0].limit


@given(used=st.lists(st.integers(0, 900), max_size=40))
def test_a_match_goes_on_until_one_bank_is_below_zero(used: list[int]) -> None:
    match = runner()
    step = started(match, turn(0, 0))
    left = [2000, 2000]
    for number, cpu_ms in enumerate(used):
        seat = number % 2
        assert asked(step)["clock"]["bank_cpu_ms"] == left[seat]
        left[seat] -= max(0, cpu_ms - 200)
        step = match.answered(action(number, cpu_ms=cpu_ms))
        if left[seat] < 0:
            assert step == Stop("timeout", seat)
            break
        assert step == Act("G1")
        step = match.offered(turn(1 - seat, number + 1, ply=number + 1))
    for record in match.records:
        mine = [float(cpu_ms) for cpu_ms in used[record.seat :: 2]]
        assert record.cpu_per_ply == mine[: len(record.cpu_per_ply)]
        assert record.wall_per_ply == [cpu_ms + 5 for cpu_ms in record.cpu_per_ply]
        assert (record.start_cpu_ms, bool(record.limit)) == (40.0, left[record.seat] < 0)


@pytest.mark.parametrize("ending", ["timeout", "crash", "illegal_action"])
def test_a_fault_ends_the_match_and_the_broken_process(ending: str) -> None:
    match = runner()
    started(match, turn(1, 0))
    assert match.answered(fault(ending)) == Stop(ending, 1)  # type: ignore[arg-type]
    over = match.offered(finished(ending=ending, ranks=[1, 2], at_fault=1))
    assert isinstance(over, Over)
    assert [seat for seat, _ in over.farewells] == [0]
    assert over.broken == {1}
    assert match.records[1].limit.startswith("it went wrong")


def test_the_referee_s_refusal_is_the_bot_s_illegal_action() -> None:
    match = runner()
    started(match, turn(0, 0))
    match.answered(action(0, action="K1"))
    assert match.refused("K1 is not legal") == Stop("illegal_action", 0)
    assert match.records[0].limit == "K1 is not legal"
    assert '"K1"' in match.records[0].last_line


def test_an_answer_to_another_turn_is_an_illegal_action() -> None:
    match = runner()
    started(match, turn(0, 3))
    assert match.answered(action(2)) == Stop("illegal_action", 0)


def test_a_bot_that_resigns_stays_for_the_next_match() -> None:
    match = runner()
    started(match, turn(0, 0))
    step = match.answered(Answer(b'{"type":"resign","turn":0}', 1.0, 1.0))
    assert step == Stop("resigned", 0)
    over = match.offered(finished(ending="resigned", at_fault=0))
    assert isinstance(over, Over)
    assert over.broken == frozenset()
    assert [seat for seat, _ in over.farewells] == [0, 1]


@pytest.mark.parametrize(
    ("reply", "ending"),
    [
        (fault("timeout"), "timeout"),
        (fault("crash"), "crash"),
        (Answer(b'{"type":"ready"}', 5001.0, 6000.0), "timeout"),
        (Answer(b"hello yourself", 1.0, 1.0), "illegal_action"),
    ],
)
def test_one_bot_that_does_not_start_loses_and_the_others_are_still_started(
    reply: Answer, ending: str
) -> None:
    match = runner()
    match.begin(turn(0, 0))
    assert isinstance(match.answered(reply), Ask)
    assert match.answered(READY) == Stop(ending, 0)  # type: ignore[arg-type]


@given(
    replies=st.lists(st.sampled_from(["ready", "timeout", "crash"]), min_size=2, max_size=4),
    sides=st.sampled_from([2, 4]),
)
def test_who_is_blamed_for_a_start(replies: list[str], sides: int) -> None:
    match = runner(seats=len(replies))
    teams = tuple(seat % sides for seat in range(len(replies)))
    step: Step = match.begin(turn(0, 0, teams=teams))
    for reply in replies:
        assert asked(step)["type"] == "hello"
        step = match.answered(READY if reply == "ready" else fault(reply))
    failed = [seat for seat, reply in enumerate(replies) if reply != "ready"]
    if not failed:
        assert asked(step)["type"] == "turn"
    elif len({teams[seat] for seat in failed}) > 1:
        assert step == Stop("no_contest", None)
    else:
        assert step == Stop(replies[failed[0]], failed[0])  # type: ignore[arg-type]
    assert [bool(record.limit) for record in match.records] == [r != "ready" for r in replies]


def test_two_sides_that_do_not_start_make_no_contest() -> None:
    match = runner()
    match.begin(turn(0, 0))
    match.answered(fault("crash"))
    assert match.answered(fault("timeout")) == Stop("no_contest", None)
    over = match.offered(finished(ending="no_contest", ranks=None))
    assert isinstance(over, Over)
    assert over.broken == {0, 1}
    assert [bool(record.limit) for record in match.records] == [True, True]


def test_two_partners_that_do_not_start_are_one_side() -> None:
    match = runner(seats=4)
    match.begin(turn(0, 0, teams=(0, 1, 0, 1)))
    for reply in (READY, fault("crash"), READY):
        match.answered(reply)
    assert match.answered(fault("timeout")) == Stop("crash", 1)


def test_two_of_four_that_play_alone_and_do_not_start_make_no_contest() -> None:
    match = runner(seats=4)
    match.begin(turn(0, 0, teams=(0, 1, 2, 3)))
    for reply in (READY, fault("crash"), READY):
        match.answered(reply)
    assert match.answered(fault("timeout")) == Stop("no_contest", None)


def test_a_late_answer_on_a_stalled_host_voids_the_attempt() -> None:
    match = runner()
    started(match, turn(1, 0))
    with pytest.raises(HostStall) as caught:
        match.answered(fault("timeout", wall=True), stall_ms=6000)
    assert (caught.value.match_id, caught.value.seat) == ("m1", 1)


def test_a_start_on_a_stalled_host_is_void_too() -> None:
    match = runner()
    match.begin(turn(0, 0))
    match.answered(READY)
    with pytest.raises(HostStall) as caught:
        match.answered(fault("timeout", wall=True), stall_ms=7000)
    assert caught.value.seat == 1


def test_a_seat_without_an_excuse_loses_on_a_stalled_host_and_the_other_does_not() -> None:
    match = runner(no_excuse=frozenset({1}))
    started(match, turn(1, 0))
    assert match.answered(fault("timeout", wall=True), stall_ms=9000) == Stop("timeout", 1)
    match = runner(no_excuse=frozenset({1}))
    started(match, turn(0, 0))
    with pytest.raises(HostStall):
        match.answered(fault("timeout", wall=True), stall_ms=9000)


@pytest.mark.parametrize(("wall", "stall_ms"), [(True, 40.0), (False, 6000.0)])
def test_a_sleeper_and_a_spinner_have_no_excuse(wall: bool, stall_ms: float) -> None:
    match = runner()
    started(match, turn(1, 0))
    assert match.answered(fault("timeout", wall=wall), stall_ms) == Stop("timeout", 1)
    assert "allowed: 2200 ms of CPU time" in match.records[1].limit


def test_a_match_that_is_decided_by_the_deal_asks_nobody() -> None:
    assert isinstance(started(runner(), finished()), Over)
