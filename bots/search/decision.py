"""What a search is asked: the view of one seat and what that seat may do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from bots.judges import Credits, Judge, judge_of
from bots.sdk import Hello, Turn
from engine_service.catalogue import game
from engine_service.core.credit import credits_of
from engine_service.core.game import Game

EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice of `seat` among `actions` (ids, two at least); the true state is not in here.

    `judge` says what a state promises; without one that takes a playout.
    """

    game: Game
    options: Any
    teams: tuple[int, ...]
    seat: int
    view: Any
    actions: tuple[int, ...]
    judge: Judge | None = None

    @classmethod
    def of(cls, hello: Hello, turn: Turn) -> Decision:
        """The decision that a bot is asked for."""
        rules = game(hello.game)
        options = rules.parse_options(hello.options)
        teams = rules.teams(options, hello.seats)
        view = rules.view_from_plain(turn.view)
        return cls(rules, options, teams, hello.seat, view, tuple(turn.ids), judge_of(hello.game))

    def world(self, rng: Random) -> Any:
        """A state that the seat cannot tell from the true one."""
        return self.game.determinize(self.view, rng)

    def par(self, world: Any) -> Credits:
        """What a world promises before anything is done in it: some are lucky for a seat."""
        return self.judge(world) if self.judge else (EVEN,) * len(self.teams)

    def promise(self, state: Any, rng: Random) -> Credits:
        """What a state brings: by the rules, by the judge, or by a playout."""
        if (result := self.game.result(state)) is not None:
            return _credits(result.ranks, self.teams)
        return self.judge(state) if self.judge else self.play_out(state, rng)

    def play_out(self, state: Any, rng: Random) -> Credits:
        """Random play to the end, and what it brings."""
        legal_actions, apply, draw = self.game.legal_actions, self.game.apply, rng.random
        while legal := legal_actions(state):
            state = apply(state, legal[int(draw() * len(legal))])
        result = self.game.result(state)
        assert result is not None, "where nobody may act the game is over"
        return _credits(result.ranks, self.teams)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a search came to: the action, its mean credit, and how many iterations it took."""

    action: int
    credit: float
    iterations: int


@cache
def _credits(ranks: tuple[int, ...], teams: tuple[int, ...]) -> Credits:
    return tuple(credits_of(ranks, teams))
