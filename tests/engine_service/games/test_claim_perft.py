"""How many ways the plies can go: a wrong count shows its split by the first action."""

from pathlib import Path

import pytest

from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import Options, State

TABLE = Path(__file__).parents[2] / "perft" / "claim.perft"
LINES = [tuple(line.split()) for line in TABLE.read_text().splitlines() if line and line[0] != "#"]


def start(seed: str, skipped: int) -> State:
    """The deal, after some plies of always the first legal action."""
    state = GAME.deal(bytes.fromhex(seed), Options(), 2)
    for _ in range(skipped):
        state = GAME.apply(state, GAME.legal_actions(state)[0])
    return state


def count(state: State, depth: int) -> int:
    legal = GAME.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(count(GAME.apply(state, action), depth - 1) for action in legal)


def split(state: State, depth: int) -> str:
    legal = GAME.legal_actions(state)
    counts = {a: 1 if depth == 1 else count(GAME.apply(state, a), depth - 1) for a in legal}
    return " ".join(f"{GAME.notation(action)}:{number}" for action, number in counts.items())


@pytest.mark.parametrize(("seed", "skipped", "depth", "expected"), LINES)
def test_perft(seed: str, skipped: str, depth: str, expected: str) -> None:
    state = start(seed, int(skipped))
    assert count(state, int(depth)) == int(expected), split(state, int(depth))
