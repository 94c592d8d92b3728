"""The one place where an action is checked; forced plies are played here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine_service.core.errors import IllegalActionError, RulesError
from engine_service.core.game import Game, Plain


@dataclass(frozen=True, slots=True)
class Ply:
    """One decision; `forced` when it was the only legal action."""

    seat: int
    action: str
    forced: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A match so far: the state and how it came about. `seed` is None for a deal set by hand."""

    game: Game
    options: Any
    seats: int
    seed: bytes | None
    deal: Plain
    state: Any
    plies: tuple[Ply, ...] = ()

    @property
    def actor(self) -> int | None:
        """The seat to decide, who then has at least two legal actions; None at the end."""
        return self.game.actor(self.state)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of every seat."""
        return self.game.teams(self.options, self.seats)


def start(game: Game, options: Any, seats: int, seed: bytes) -> Position:
    """The first position with a choice."""
    return play_forced(dealt(game, options, seats, seed))


def dealt(game: Game, options: Any, seats: int, seed: bytes) -> Position:
    """The position before the first ply, forced plies included."""
    check_seats(game, seats)
    state = game.deal(seed, options, seats)
    return Position(game, options, seats, seed, game.deal_to_plain(state), state)


def set_up(game: Game, options: Any, seats: int, deal: Plain) -> Position:
    """The position before the first ply of a deal set by hand."""
    check_seats(game, seats)
    state = game.deal_from_plain(deal, options, seats)
    return Position(game, options, seats, None, game.deal_to_plain(state), state)


def check_seats(game: Game, seats: int) -> None:
    """Raise RulesError for a number of seats that the game does not have."""
    if type(seats) is not int or seats not in game.seat_counts:
        raise RulesError(f"seats: expected {seats_of(game)}, got {str(seats)[:20]}")


def seats_of(game: Game) -> str:
    """How many may play, for people: 2 or 3 or 4 for king_is_dead."""
    return f"{' or '.join(map(str, game.seat_counts))} for {game.name}"


def step(position: Position, action: int | str) -> Position:
    """Play an action and the forced plies after it."""
    return play_forced(play(position, action))


def play(position: Position, action: int | str) -> Position:
    """Play one ply, forced or not; raises IllegalActionError, or RulesError at the end."""
    game, seat = position.game, position.actor
    if seat is None:
        raise RulesError("the game is over")
    legal = game.legal_actions(position.state)
    number = _number(game, action)
    if number not in legal:
        raise IllegalActionError(len(position.plies), seat, action, len(legal))
    ply = Ply(seat, game.notation(number), len(legal) == 1)
    state = game.apply(position.state, number)
    return replace(position, state=state, plies=(*position.plies, ply))


def play_forced(position: Position) -> Position:
    """Play on while there is exactly one legal action."""
    while len(legal := position.game.legal_actions(position.state)) == 1:
        position = play(position, legal[0])
    return position


def replay_actions(
    game: Game, options: Any, seats: int, seed: bytes, actions: Sequence[str]
) -> Position:
    """The position after these plies, forced ones included, and the forced plies after them."""
    position = dealt(game, options, seats, seed)
    for action in actions:
        position = play(position, action)
    return play_forced(position)


def forfeit_ranks(teams: Sequence[int], at_fault: int) -> tuple[int, ...]:
    """Ranks by seat when one loses by a fault: it is last, its partners with it."""
    last = len(set(teams))
    return tuple(last if team == teams[at_fault] else 1 for team in teams)


def _number(game: Game, action: int | str) -> int | None:
    if isinstance(action, str):
        try:
            return game.parse(action)
        except RulesError:
            return None
    return action if type(action) is int else None
