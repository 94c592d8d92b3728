"""The matches that every game of the catalogue is tried on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from engine_service.catalogue import game, names
from engine_service.core import referee
from engine_service.core.game import Game, Plain, Viewer
from engine_service.core.referee import Position
from engine_service.core.seeds import Stream
from tests.variants import VARIANTS

# Where a view does not tell when the viewer saw a card that it knows by now.
FORGETFUL: list[Plain] = [{"blind_peek": True}]
SEEDS = [bytes([number]) * 32 for number in range(4)]
MATCHES = 8  # of a game, spread over its configurations, each of which has one at least


@dataclass(frozen=True)
class Case:
    """One configuration of a game, with one seed."""

    game: Game
    raw_options: Plain
    seats: int
    seed: bytes

    @property
    def views_remember(self) -> bool:
        return self.raw_options not in FORGETFUL

    @property
    def viewers(self) -> list[Viewer]:
        return [*range(self.seats), "spectator", "all"]

    def first(self) -> Position:
        options = self.game.parse_options(self.raw_options)
        return referee.dealt(self.game, options, self.seats, self.seed)

    def plays(self, state: Any) -> list[str]:
        """The plies so far, which every state carries in its plain form."""
        plays: list[str] = self.game.state_to_plain(state)["plays"]
        return plays

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
        tried = list(product([{}, *VARIANTS.get(name, [])], found.seat_counts))
        for raw, seats in tried:
            for seed in SEEDS[: max(1, MATCHES // len(tried))]:
                yield Case(found, raw, seats, seed)


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


def _king_pieces(view: dict[str, Any]) -> Counter[str]:
    """Followers, region cards and action cards; discs of control are no limit."""
    pools = [view["supply"], *view["courts"], *view["regions"].values()]
    followers = {faction: sum(pool[at] for pool in pools) for at, faction in enumerate("SWE")}
    cards = [card for pile in [*view["hands"], *view["discards"], view["box"]] for card in pile]
    return Counter(followers) + Counter(view["row"]) + Counter(cards)


def _duel_heroes(view: dict[str, Any]) -> Counter[str]:
    slots = [hero for slot in view["slots"] for hero in (slot["hero"], slot["blocker"]) if hero]
    piles = [*view["hands"], *view["councils"], view["pile"], slots]
    return Counter(hero for pile in piles for hero in pile)


def _bids_cards(view: dict[str, Any]) -> Counter[str]:
    cards = [*view["plays"], *(card for hand in view["hands"] for card in hand)]
    return Counter(f"prize {each}" for each in [*view["prizes"], *view["deck"]]) + Counter(cards)


@pytest.fixture
def components(case: Case) -> Callable[[Plain], Counter[str]]:
    """Counts the cards and pieces in a view of everything; each game has to bring its own."""
    known = {
        "claim": _claim_cards,
        "king_is_dead": _king_pieces,
        "hidden_leaders_duel": _duel_heroes,
        "bids": _bids_cards,
    }
    return known[case.game.name]
