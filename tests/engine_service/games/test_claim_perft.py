"""How many ways the plies of Claim can go: a wrong count shows its split by the first action."""

from pathlib import Path

import pytest

from engine_service.games.claim.game import GAME
from engine_service.games.claim.state import Options, State
from tests.engine_service.games.perft import count, split

TABLE = Path(__file__).parents[2] / "perft" / "claim.perft"
LINES = [tuple(line.split()) for line in TABLE.read_text().splitlines() if line and line[0] != "#"]


def start(seed: str, skipped: int) -> State:
    """The deal, after some plies of always the first legal action."""
    state = GAME.deal(bytes.fromhex(seed), Options(), 2)
    for _ in range(skipped):
        state = GAME.apply(state, GAME.legal_actions(state)[0])
    return state


@pytest.mark.parametrize(("seed", "skipped", "depth", "expected"), LINES)
def test_perft(seed: str, skipped: str, depth: str, expected: str) -> None:
    state = start(seed, int(skipped))
    assert count(GAME, state, int(depth)) == int(expected), split(GAME, state, int(depth))
