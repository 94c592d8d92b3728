"""Hostile bots, run for real in every mode here: each is blocked or loses by its fault."""

from __future__ import annotations

import pytest

from tests.workers.sandbox.attacks import ATTACKS, MEMORY_BOMB, MEMORY_BOMB_KILLED
from tests.workers.sandbox.hostile import problem
from workers.sandbox.staging import Runtime


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_contained(runtime: Runtime, name: str) -> None:
    assert problem(runtime, ATTACKS[name]) is None


def test_a_memory_bomb_is_bounded(runtime: Runtime) -> None:
    bomb = MEMORY_BOMB if runtime.cgroups is None else MEMORY_BOMB_KILLED
    assert problem(runtime, bomb) is None
