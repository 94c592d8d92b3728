"""The verifier that is not Python draws every bracket again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.arena_service.audit import brackets, events
from tests.arena_service.audit.brackets import Leaves
from tests.arena_service.audit.events import Lines
from tests.arena_service.audit.tampering import of
from tests.arena_service.audit.verified import meet, seats, without_the_last_round
from tests.arena_service.audit.verifier import HOLDS, told, verify

WHOLE = (2, 3, 5, 8, 9)
# One is withdrawn and one disqualified, each in the middle of a pair.
LEAVING = {
    4: (Leaves(2, 3, False), Leaves(0, 5, True)),
    6: (Leaves(0, 3, False), Leaves(1, 5, True)),
    7: (Leaves(1, 3, True), Leaves(2, 5, False)),
    9: (Leaves(2, 3, False), Leaves(0, 7, True)),
}


@pytest.fixture(scope="module")
def exported(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Brackets by what is special of them and how many play."""
    folder = tmp_path_factory.mktemp("brackets")
    fields = {f"whole-{size}": (size, ()) for size in WHOLE}
    fields |= {f"left-{size}": (size, leaving) for size, leaving in LEAVING.items()}
    return {
        name: brackets.played(sqlite_template, folder / f"{name}.gz", size, leaving)
        for name, (size, leaving) in fields.items()
    }


def test_every_bracket_is_derived(exported: dict[str, Path]) -> None:
    assert verify(*exported.values()).returncode == 0
    for text in told(*exported.values()).values():
        assert text.endswith(f"{HOLDS}\n"), text
        assert "not derived here" not in text


@pytest.mark.parametrize("size", WHOLE)
def test_in_every_bracket_the_final_is_played_again(exported: dict[str, Path], size: int) -> None:
    lines = events.read(exported[f"whole-{size}"])
    first, second = (each["bot_version"] for each in _seeded(lines)[:2])
    rounds = Counter(pair["round"] for pair in of(lines, "pair"))
    last = [set(seats(lines, pair["number"])) for pair in of(lines, "pair")[-2:]]
    assert last == [{first, second}] * 2
    assert len(of(lines, "pair")) == 2 * size - 1 + (size > 3)  # with the play-off
    assert rounds[len(rounds)] == rounds[len(rounds) - 1] == 1


@pytest.mark.parametrize("size", LEAVING)
def test_those_who_left_had_something_to_play(exported: dict[str, Path], size: int) -> None:
    lines = events.read(exported[f"left-{size}"])
    assert {each["departed"] for each in of(lines, "departure")} == {"withdrawn", "disqualified"}
    assert any(match["result"] is None for match in of(lines, "match"))


def test_every_pairing_that_was_not_drawn_is_told(
    exported: dict[str, Path], tmp_path: Path
) -> None:
    """In every other pair of each bracket somebody else for one of two, in others turned seats."""
    files, wrong = [], {}
    for name, path in exported.items():
        text = json.dumps(events.read(path))
        for pair in of(json.loads(text), "pair"):
            lines: Lines = json.loads(text)
            first, second = seats(lines, number := pair["number"])
            others = [each["bot_version"] for each in of(lines, "entrant")]
            other = next((each for each in others if each not in (first, second)), second)
            meet(lines, number, [other, first] if number % 2 == 0 else [second, first])
            files.append(events.write(tmp_path / f"{name}-{number}.gz", lines))
            wrong[f"{name}-{number}"] = f"pairings: the event pair {number}: seats is"
    said = told(*files)
    assert said.keys() == wrong.keys()
    for name, text in said.items():
        assert f"\n{wrong[name]}" in text, text
        assert HOLDS not in text


def test_a_round_that_is_missing_is_told(exported: dict[str, Path], tmp_path: Path) -> None:
    files = []
    for name, path in exported.items():
        lines = events.read(path)
        without_the_last_round(lines)
        files.append(events.write(tmp_path / f"{name}.gz", lines))
    for text in told(*files).values():
        assert "\npairings: the event: a round is missing" in text, text


def _seeded(lines: Lines) -> Lines:
    return sorted(of(lines, "entrant"), key=lambda each: each["seed"])
