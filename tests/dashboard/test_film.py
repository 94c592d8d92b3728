"""What the player gets: one picture per position, moves with their outcome, marks."""

from __future__ import annotations

from typing import Any

from dashboard.boards.catalogue import board
from dashboard.player.frames import film
from tests.dashboard.claim_views import view

TRICK = {"phase": 1, "leader": 1, "cards": ["G5", "G8"], "winner": 0, "prize": "D4"}


def frame(ply: int, action: str | None, seat: int | None, shown: dict[str, Any]) -> dict[str, Any]:
    return {"ply": ply, "seat": seat, "action": action, "forced": ply == 2, "view": shown}


def trick_of_phase_1() -> list[dict[str, Any]]:
    return [
        frame(0, None, None, view(led="", tricks=[], actor=1)),
        frame(1, "G5", 1, view(tricks=[])),
        frame(2, "G8", 0, view(led="", tricks=[TRICK], phase=2)),
    ]


def test_a_frame_per_position_and_a_move_per_ply() -> None:
    shown = film(trick_of_phase_1(), board("claim"), ("north", "south"), "")
    assert len(shown["frames"]) == 3
    assert shown["moves"] == [
        {"seat": 1, "text": "G5", "forced": False, "outcome": ""},
        {"seat": 0, "text": "G8", "forced": True, "outcome": "answer takes D4"},
    ]


def test_the_slider_is_marked_at_the_new_phase_and_at_a_fault() -> None:
    shown = film(trick_of_phase_1(), board("claim"), ("north", "south"), "north crashed")
    assert shown["marks"] == [
        {"frame": 2, "label": "Phase 2", "kind": "phase"},
        {"frame": 2, "label": "north crashed", "kind": "fault"},
    ]


def test_a_match_without_plies_is_its_deal() -> None:
    shown = film(trick_of_phase_1()[:1], board("claim"), ("north", "south"), "No contest")
    assert (len(shown["frames"]), shown["moves"]) == (1, [])
    assert [mark["frame"] for mark in shown["marks"]] == [0]


def test_a_game_without_a_picture_is_shown_as_text() -> None:
    frames = [frame(0, None, None, {"pile": "<b>3</b>"}), frame(1, "take 1", 0, {"pile": 2})]
    pictures = film(frames, board("unheard of"), ("a", "b"), "")["frames"]
    assert "&lt;b&gt;3&lt;/b&gt;" in pictures[0]
    assert "take 1" in pictures[1]
