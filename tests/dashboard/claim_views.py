"""Handwritten views of Claim for the tests of its board."""

from __future__ import annotations

from typing import Any


def view(**changes: Any) -> dict[str, Any]:
    """Seat 0's view in the middle of phase 1, with some entries changed."""
    return {
        "viewer": 0,
        "phase": 1,
        "trick": 6,
        "leader": 1,
        "actor": 0,
        "prize": "D4",
        "led": "G5",
        "hands": [["G0", "G8", "K3", "K9", "U6", "D1", "X7"], []],
        "hand_sizes": [7, 6],
        "deck_size": 13,
        "deck": [],
        "followers": [["U8", "K2", "G3"], ["K7", "D9", "U2"]],
        "blind_counts": [3, 3],
        "scored": [["U4", "U7"], ["U1"]],
        "discarded": ["G9", "K4", "D3", "D7"],
        "tricks": [
            {"phase": 1, "leader": 0, "cards": ["K4", "G9"], "winner": 0, "prize": "U5"},
            {"phase": 1, "leader": 0, "cards": ["D3", "D7"], "winner": 1, "prize": "U2"},
        ],
        "votes": [-1, -1, 0, -1, -1],
    } | changes
