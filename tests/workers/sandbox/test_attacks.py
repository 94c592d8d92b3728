"""Hostile bots, run for real in every mode here: each is blocked or loses by its fault."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.workers.sandbox import modes
from tests.workers.sandbox.attacks import ATTACKS
from tests.workers.sandbox.modes import Mode

GROWTH_BYTES = 4 << 20  # of a worker that has met every attack


@pytest.mark.parametrize("mode", modes.ALL, ids=str)
def test_every_attack_is_contained_and_leaves_nothing(clone: Path, mode: Mode) -> None:
    report = modes.run(clone, mode, "assault", "sandboxed")
    assert report["wrong"] == {}
    assert report["attacks"] == len(ATTACKS)
    assert (report["user"] == 0) == mode.root
    assert report["mode"].startswith(mode.memory)
    assert report["grown"] < GROWTH_BYTES


def test_without_a_sandbox_the_attacks_succeed(clone: Path) -> None:
    """The victim is there, and a user like the bots' reaches it in every way that is tried."""
    mode = next(mode for mode in modes.OPEN if mode.root == (os.geteuid() == 0))
    report = modes.run(clone, mode, "assault", "bare")
    assert report["wrong"] == {}
    assert report["attacks"] > 55
