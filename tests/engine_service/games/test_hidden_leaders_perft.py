"""How many ways the plies of Hidden Leaders: Duel can go; a wrong count shows its split."""

from pathlib import Path

import pytest

from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import DECK
from engine_service.games.hidden_leaders_duel.state import Options, State
from tests.engine_service.games.perft import count, split

TABLE = Path(__file__).parents[2] / "perft" / "hidden_leaders_duel.perft"
LINES = [tuple(line.split()) for line in TABLE.read_text().splitlines() if line and line[0] != "#"]
# In the default deck all heroes differ, so its counts are the same in every deal.
DECKS = {"default": DECK, "twins": DECK[::2] * 2, "alike": ("R5",) * 28}
FIRST, LAST = 0, -1


def start(deck: str, seed: str, policy: str, skipped: str) -> State:
    """The deal, after some plies of always the first or last legal action: Councils or blocks."""
    state = GAME.deal(bytes.fromhex(seed), Options(DECKS[deck]), 2)
    for _ in range(int(skipped)):
        state = GAME.apply(state, GAME.legal_actions(state)[FIRST if policy == "first" else LAST])
    return state


@pytest.mark.parametrize(("deck", "seed", "policy", "skipped", "depth", "expected"), LINES)
def test_perft(deck: str, seed: str, policy: str, skipped: str, depth: str, expected: str) -> None:
    state = start(deck, seed, policy, skipped)
    assert count(GAME, state, int(depth)) == int(expected), split(GAME, state, int(depth))
