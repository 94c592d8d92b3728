"""How many ways the plies of The King Is Dead can go, in each configuration and for each card."""

from pathlib import Path

import pytest

from engine_service.games.king_is_dead.cards import CARDS, PLOT
from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import Options, State
from tests.engine_service.games.perft import count, split

TABLE = Path(__file__).parents[2] / "perft" / "king_is_dead.perft"
LINES = [tuple(line.split()) for line in TABLE.read_text().splitlines() if line and line[0] != "#"]


def start(seats: str, variant: str, seed: str, skipped: str) -> State:
    """The deal, after some plies of always the last legal action: cards are played, not passed."""
    state = GAME.deal(bytes.fromhex(seed), Options(variant), int(seats))
    for _ in range(int(skipped)):
        state = GAME.apply(state, GAME.legal_actions(state)[-1])
    return state


@pytest.mark.parametrize(("seats", "variant", "seed", "skipped", "depth", "expected"), LINES)
def test_perft(
    seats: str, variant: str, seed: str, skipped: str, depth: str, expected: str
) -> None:
    state = start(seats, variant, seed, skipped)
    assert count(GAME, state, int(depth)) == int(expected), split(GAME, state, int(depth))


def test_every_card_is_counted() -> None:
    counted = set()
    for seats, variant, seed, skipped, depth, _ in LINES:
        legal = GAME.legal_actions(start(seats, variant, seed, skipped))
        counted |= {GAME.notation(action) for action in legal} if int(depth) > 2 else set()
    assert {f"play {card}" for card in CARDS if card != PLOT} <= counted
