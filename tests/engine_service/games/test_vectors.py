"""Matches played by independent implementations of the rules, eight of each configuration."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from engine_service.catalogue import game
from engine_service.core import referee, replay

FILES = sorted((Path(__file__).parents[2] / "vectors").rglob("*.replay.json"))


def configuration(path: Path) -> str:
    """The name without the number: `claim`, `king_is_dead-2-cunning`."""
    return path.name.split(".")[0].rpartition("-")[0]


def test_eight_of_each_configuration_are_there() -> None:
    found = Counter(map(configuration, FILES))
    assert set(found.values()) == {8}
    assert {"claim", "king_is_dead-2", "king_is_dead-4-cunning", "hidden_leaders_duel"} <= set(
        found
    )


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


def test_two_vectors_of_each_configuration_carry_the_full_lists() -> None:
    full = [path for path in FILES if "legal" in replay.read(path.read_bytes())["plies"][0]]
    assert Counter(map(configuration, full)) == dict.fromkeys(map(configuration, FILES), 2)
