"""The referee checks, plays forced plies, and ranks forfeits."""

import pytest

from engine_service.catalogue import game
from engine_service.core import referee
from engine_service.core.errors import IllegalActionError, RulesError
from engine_service.core.referee import Position

CLAIM = game("claim")
OPTIONS = CLAIM.parse_options({})
# In this deal seat 1 holds a single Doppelganger: a led one forces its only answer.
FORCING = bytes.fromhex("6151cda618e153aa51581d70deaf281c4bbf28f150dd94fb5abc3aed3b069347")


@pytest.fixture
def position() -> Position:
    return referee.start(CLAIM, OPTIONS, 2, bytes(32))


def test_a_forced_ply_is_played_and_marked() -> None:
    after = referee.step(referee.start(CLAIM, OPTIONS, 2, FORCING), "X9")
    assert [(ply.seat, ply.action, ply.forced) for ply in after.plies] == [
        (0, "X9", False),
        (1, "X7", True),
    ]
    assert after.actor == 0


def test_notation_and_id_are_the_same(position: Position) -> None:
    assert CLAIM.parse("U2") == 20
    assert referee.step(position, "U2") == referee.step(position, 20)


@pytest.mark.parametrize("action", ["K2", "", "u6", "U6 ", "Z9", -1, 48, 10**30, True, 0])
def test_an_illegal_action_is_refused_with_its_place(position: Position, action: int | str) -> None:
    with pytest.raises(IllegalActionError) as caught:
        referee.step(position, action)
    error = caught.value
    assert (error.ply, error.seat, error.action, error.legal_count) == (0, 0, action, 13)
    assert position == referee.start(CLAIM, OPTIONS, 2, bytes(32))


def test_actions_so_far_lead_to_the_same_position(position: Position) -> None:
    for _ in range(20):
        position = referee.step(position, CLAIM.legal_actions(position.state)[-1])
    actions = [ply.action for ply in position.plies]
    assert referee.replay_actions(CLAIM, OPTIONS, 2, bytes(32), actions) == position


def test_nothing_is_played_after_the_end(position: Position) -> None:
    while position.actor is not None:
        position = referee.step(position, CLAIM.legal_actions(position.state)[0])
    with pytest.raises(RulesError, match="the game is over"):
        referee.step(position, "G0")


@pytest.mark.parametrize("seats", [1, 3, True, "2"])
def test_a_wrong_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(RulesError, match="seats: expected 2 for claim, got "):
        referee.start(CLAIM, OPTIONS, seats, bytes(32))


@pytest.mark.parametrize(
    ("teams", "at_fault", "ranks"),
    [
        ((0, 1), 0, (2, 1)),
        ((0, 1), 1, (1, 2)),
        ((0, 1, 2), 1, (1, 3, 1)),
        ((0, 1, 0, 1), 2, (2, 1, 2, 1)),
        ((0, 1, 0, 1), 1, (1, 2, 1, 2)),
        ((0, 1, 2, 3), 1, (1, 4, 1, 1)),
    ],
)
def test_forfeit_ranks(teams: tuple[int, ...], at_fault: int, ranks: tuple[int, ...]) -> None:
    assert referee.forfeit_ranks(teams, at_fault) == ranks
