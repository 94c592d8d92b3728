"""Matches played by independent implementations of the rules."""

import hashlib
from pathlib import Path

import pytest

from engine_service.catalogue import game
from engine_service.core import referee, replay

FILES = sorted((Path(__file__).parents[2] / "vectors" / "claim").glob("*.replay.json"))


def test_the_vectors_are_there() -> None:
    assert len(FILES) == 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_deal_forced_plies_result_and_digest(path: Path) -> None:
    document = replay.read(path.read_bytes())
    position = replay.verify(document, game)
    assert position.actor is None
    assert replay.build(position, [], "completed", None)["digest"] == document["digest"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_legal_actions_at_every_ply(path: Path) -> None:
    document = replay.read(path.read_bytes())
    position = replay.opening(document, game)
    for ply in document["plies"]:
        legal = position.game.legal_actions(position.state)
        names = sorted(map(position.game.notation, legal))
        assert len(names) == ply["legal_count"]
        assert hashlib.sha256("\n".join(names).encode()).hexdigest() == ply["legal_sha256"]
        assert ply.get("legal", names) == names
        position = referee.play(position, ply["action"])


def test_two_vectors_carry_the_full_lists() -> None:
    full = [path for path in FILES if "legal" in replay.read(path.read_bytes())["plies"][0]]
    assert len(full) == 2
