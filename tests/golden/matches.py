"""Random matches of a kind, each found again by its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_service.catalogue import game
from engine_service.core import referee, replay
from engine_service.core.game import Plain
from engine_service.core.referee import Position
from engine_service.core.seeds import Stream

SEARCHED = 20_000


def played(name: str, number: int, raw_options: Plain, seats: int) -> Position:
    """A match that depends on its number alone."""
    rules, seed = game(name), number.to_bytes(32, "big")
    choices = Stream(seed, "golden/choices")
    position = referee.start(rules, rules.parse_options(raw_options), seats, seed)
    while position.actor is not None:
        legal = rules.legal_actions(position.state)
        position = referee.step(position, legal[choices.below(len(legal))])
    return position


def first(
    name: str, kind: Callable[[Position], bool], raw_options: Plain | None = None, seats: int = 2
) -> Position:
    """The first match of the kind."""
    for number in range(SEARCHED):
        position = played(name, number, raw_options or {}, seats)
        if kind(position):
            return position
    raise LookupError(f"no match of the kind {kind.__name__}")


def cut(position: Position, plies: int) -> Position:
    """The match at its first choice after some plies."""
    actions = [ply.action for ply in position.plies[:plies]]
    assert position.seed is not None
    return referee.replay_actions(
        position.game, position.options, position.seats, position.seed, actions
    )


def score(position: Position) -> Any:
    result = position.game.result(position.state)
    assert result is not None
    return result.score


def document(position: Position, ending: str = "completed", at_fault: int | None = None) -> Plain:
    return replay.build(position, players(position), ending, at_fault)


def no_contest(position: Position) -> Plain:
    return replay.no_contest(position, players(position))


def players(position: Position) -> list[Plain]:
    return [{"bot": "golden", "version": 1} for _ in range(position.seats)]
