"""What an author reads: game, ending, moment, limit, last words, and what to do."""

from __future__ import annotations

import pytest

from arena_service.verdicts import (
    STDERR_SHOWN,
    CheckedMatch,
    CheckedSeat,
    disabled_by_faults,
    failed_check,
    last_line,
    printable,
    verdict,
)

AT_PEACE = CheckedSeat("", moved=True, stderr="chatter\n")


def match(ending: str, at_fault: int | None = None, *seats: CheckedSeat) -> CheckedMatch:
    return CheckedMatch("claim", ending, at_fault, 7, seats or (AT_PEACE, AT_PEACE))


@pytest.mark.parametrize("ending", ["completed", "resigned"])
def test_a_match_played_by_the_rules_is_passed(ending: str) -> None:
    assert verdict([match(ending, 0 if ending == "resigned" else None)]) == ""


def test_a_fault_is_told_with_its_moment_limit_and_last_words() -> None:
    seat = CheckedSeat("the process ended with exit code 3", moved=True, stderr="a\nboom\n\n")
    assert verdict([match("crash", 1, AT_PEACE, seat)]) == (
        "claim: crash after 7 plies, seat 1: the process ended with exit code 3; "
        'last line on stderr: "boom"'
    )


def test_a_start_that_failed_alone_is_told_as_one() -> None:
    seat = CheckedSeat("no line", moved=False, stderr="")
    assert verdict([match("timeout", 0, seat, AT_PEACE)]) == (
        "claim: timeout at the start, seat 0: no line"
    )


def test_nobody_started_is_told_with_every_seat() -> None:
    seat = CheckedSeat("the process ended", moved=False, stderr="")
    assert verdict([match("no_contest", None, seat, seat)]) == (
        "claim: no_contest at the start, seats 0 and 1: the process ended"
    )


def test_every_game_that_failed_is_told_and_no_other() -> None:
    seat = CheckedSeat("x", moved=True, stderr="")
    failed = [
        match("crash", 0, seat, AT_PEACE),
        match("completed"),
        match("timeout", 1, seat, seat),
    ]
    assert verdict(failed) == (
        "claim: crash after 7 plies, seat 0: x. claim: timeout after 7 plies, seat 1: x"
    )


def test_the_arenas_verdict_says_how_to_repeat_it() -> None:
    assert failed_check("claim: no").endswith("with: interrex bot check DIR")


def test_the_last_line_is_printable_and_short() -> None:
    assert last_line("first\n\x1b[31mred\x1b[0m\n  \n") == "?[31mred?[0m"
    assert last_line("x" * 999) == "x" * STDERR_SHOWN + "..."
    assert last_line("\n \n") == ""
    assert printable("a\tb\nc\x07\u202e") == "a\tb\nc??"


def test_a_version_that_was_taken_out_reads_which_faults_and_the_way_back() -> None:
    reason = disabled_by_faults("mine", ["timeout", "crash", "timeout"])
    assert "3 rated matches in a row by its own fault (2 timeout, 1 crash)" in reason
    assert "interrex bot log mine" in reason
    assert "interrex bot recheck mine" in reason
