"""What a match of Hidden Leaders: Duel is at one moment, and what one viewer may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

from engine_service.core.game import Plain
from engine_service.games.hidden_leaders_duel.actions import COUNCIL
from engine_service.games.hidden_leaders_duel.heroes import DECK, FACTIONS, NO_HERO, SLOTS

HAND = 3
TURNS = 14  # seven for each seat
TURN_PLIES = 3
PLIES = TURNS * TURN_PLIES
ROW_START = 2 * HAND  # where the rows begin in `State.heroes`
PILE_START = ROW_START + SLOTS
HEROES = len(DECK)
PILE = HEROES - PILE_START

SPECTATOR, ALL = -1, -2

Heroes = tuple[str, ...]
BySeat = tuple[Heroes, Heroes]
Step = Literal["take", "return", "play", "over"]


@dataclass(frozen=True, slots=True)
class Leader:
    """`factions` in the order R, G, B, K; the value counts in each of them."""

    factions: str
    value: int


LEADERS = tuple(Leader(one + other, 4) for one, other in combinations(FACTIONS, 2))


@dataclass(frozen=True, slots=True)
class Options:
    """`hidden_factions`: the factions of hands, Councils and the pile are secret too."""

    deck: Heroes = DECK
    leaders: tuple[Leader, ...] = LEADERS
    hidden_factions: bool = False

    def to_plain(self) -> Plain:
        """Only what differs from the defaults."""
        plain: Plain = {}
        if self.deck != DECK:
            plain["deck"] = list(self.deck)
        if self.leaders != LEADERS:
            plain["leaders"] = [
                {"factions": list(leader.factions), "value": leader.value}
                for leader in self.leaders
            ]
        return plain | {"hidden_factions": True} if self.hidden_factions else plain


class Turn(NamedTuple):
    """A turn as far as it got; heroes by slot, `face_up` tells how the taken ones lay.

    `played` and `drawn` are empty until then, and `drawn` stays so when the pile is empty.
    """

    seat: int
    slots: tuple[int, ...]
    taken: Heroes
    face_up: tuple[bool, ...]
    returned: Heroes = ()
    played: str = NO_HERO
    target: int = COUNCIL
    drawn: str = NO_HERO


class Slot(NamedTuple):
    """Without a hero while its turn lasts; `blocked_by` is the seat of the blocker or -1."""

    hero: str
    face_up: bool = False
    blocker: str = NO_HERO
    blocked_by: int = -1


@dataclass(frozen=True, slots=True)
class State:
    """`heroes` is the deal: hand 0, hand 1, slots, pile. Hands and Councils in canonical order.

    `leaders` by seat; `turns` holds every turn begun.
    """

    options: Options
    heroes: Heroes
    leaders: tuple[Leader, Leader]
    slots: tuple[Slot, ...]
    hands: BySeat
    councils: BySeat
    turns: tuple[Turn, ...] = ()

    @property
    def closed(self) -> int:
        """How many turns are over."""
        return len(self.turns) - bool(self.turns and not self.turns[-1].played)

    @property
    def step(self) -> Step:
        """What is to be decided."""
        closed = self.closed
        if closed < len(self.turns):
            return "play" if self.turns[-1].returned else "return"
        return "over" if closed == TURNS else "take"

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.closed & 1

    @property
    def pile(self) -> Heroes:
        """Top first: one is drawn in every turn."""
        return self.heroes[PILE_START + self.closed :]


@dataclass(frozen=True, slots=True)
class View:
    """Heroes as the viewer sees them; `leaders` by seat, None where unseen.

    `armies` by seat and `discarded` are empty until the game is over.
    """

    viewer: int
    options: Options
    turn: int
    step: Step
    actor: int
    slots: tuple[Slot, ...]
    hands: BySeat
    councils: BySeat
    leaders: tuple[Leader | None, Leader | None]
    pile: Heroes
    turns: tuple[Turn, ...]
    armies: BySeat
    discarded: Heroes
