"""The disk is full while replays are stored: they are stored when there is room again."""

from __future__ import annotations

from tests.faults.small_disk import play_at_full_disk

TIMES = 3


def test_a_result_that_found_no_room_is_stored_when_there_is_some() -> None:
    assert f"faults {TIMES}" in play_at_full_disk("store", "sqlite", TIMES)
