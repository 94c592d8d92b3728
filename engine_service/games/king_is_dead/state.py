"""What a match of The King Is Dead is at one moment: a table that all can see, and secret cards."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from engine_service.core.game import Plain
from engine_service.games.king_is_dead.actions import Changes

# With four seats: 32 cards of three plies each; four passes to each of eight struggles, and three
# more for each card that breaks a row of them.
MAX_PLIES = 32 * 3 + 8 * 4 + 32 * 3

SPECTATOR, ALL = -1, -2
CARD, EFFECT, SUMMON, OVER = "card", "effect", "summon", "over"

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """`variant` is `basic` or `cunning`; `plot_breaks_ties` counts in the latter only."""

    variant: str = "basic"
    plot_breaks_ties: bool = True

    def to_plain(self) -> Plain:
        """Only what differs from the defaults."""
        return {
            f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default
        }


@dataclass(frozen=True, slots=True)
class Dealt:
    """The open part of a deal: faction letters by seat and by region, and the regions 1 to 8."""

    courts: tuple[Cards, ...]
    regions: tuple[Cards, ...]
    row: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """A swap that no other seat may undo with the same card."""

    seat: int
    card: str
    changes: Changes


class Table(NamedTuple):
    """All that lies open. `plays` are the actions since the deal, the rest follows from them.

    By region: `regions` (followers), `discs`, `negotiated` (whose negotiation disc lies on its
    card, -1 for none). By seat: `courts` (followers), `discards` in order of play, `last_cards`
    (the running number of its last card, 0 for none). `row` holds the regions on spaces 1 to 8,
    the first `resolved` of them face down. `card` is the one to carry out, empty outside EFFECT.
    """

    dealt: Dealt
    plays: tuple[int, ...]
    seat: int
    stage: str
    card: str
    passes: int
    regions: tuple[int, ...]
    discs: tuple[str, ...]
    supply: int
    courts: tuple[int, ...]
    row: tuple[int, ...]
    resolved: int
    negotiated: tuple[int, ...]
    discards: tuple[Cards, ...]
    last_cards: tuple[int, ...]
    swap: Swap | None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.courts)


@dataclass(frozen=True, slots=True)
class State:
    """`cunning` holds the secret cards of each seat as dealt, played or not; none when basic."""

    options: Options
    table: Table
    cunning: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The table, and by seat the cards in hand that the viewer knows; `box` for ALL only."""

    viewer: int
    options: Options
    table: Table
    hands: tuple[Cards, ...]
    box: Cards
