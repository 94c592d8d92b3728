"""The matches that every game of the catalogue is tried on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from engine_service.catalogue import game, names
from engine_service.core import referee
from engine_service.core.game import Game, Plain, Viewer
from engine_service.core.referee import Position
from engine_service.core.seeds import Stream

# Options beyond the defaults, by game; a game without an entry is tried on its defaults.
VARIANTS: dict[str, list[Plain]] = {"claim": [{"blind_peek": True}]}
SEEDS = [bytes([number]) * 32 for number in range(4)]


@dataclass(frozen=True)
class Case:
    """One configuration of a game, with one seed."""

    game: Game
    raw_options: Plain
    seats: int
    seed: bytes

    @property
    def viewers(self) -> list[Viewer]:
        return [*range(self.seats), "spectator", "all"]

    def first(self) -> Position:
        options = self.game.parse_options(self.raw_options)
        return referee.dealt(self.game, options, self.seats, self.seed)

    def choices(self) -> Stream:
        """The numbers that pick the actions of a random match."""
        return Stream(self.seed, "conformance/choices")

    def match(self) -> Iterator[Position]:
        """Every position of a random match, the deal first, the end last."""
        choices, position = self.choices(), self.first()
        yield position
        while legal := self.game.legal_actions(position.state):
            position = referee.play(position, legal[choices.below(len(legal))])
            yield position


def _cases() -> Iterator[Case]:
    for name in names():
        found = game(name)
        for raw in [{}, *VARIANTS.get(name, [])]:
            for seats in found.seat_counts:
                yield from (Case(found, raw, seats, seed) for seed in SEEDS)


def _label(case: Case) -> str:
    options = "-".join(case.raw_options) or "default"
    return f"{case.game.name}-{case.seats}-{options}-{case.seed[0]}"


@pytest.fixture(params=list(_cases()), ids=_label)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param  # type: ignore[no-any-return]


def _claim_cards(view: dict[str, Any]) -> Counter[str]:
    piles = [*view["hands"], *view["followers"], *view["scored"], view["deck"], view["discarded"]]
    piles.append([card for card in (view["led"], view["prize"]) if card])
    return Counter(card for pile in piles for card in pile)


@pytest.fixture
def components(case: Case) -> Callable[[Plain], Counter[str]]:
    """Counts the cards and pieces in a view of everything; each game has to bring its own."""
    return {"claim": _claim_cards}[case.game.name]
