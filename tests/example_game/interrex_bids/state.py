"""What a match of Bids is made of. An action, and so a card, is numbered from 0."""

from __future__ import annotations

from dataclasses import dataclass

from engine_service.core.game import Plain

DEFAULT_CARDS = 5
SPECTATOR, ALL = -1, -2
UNSEEN = -1


@dataclass(frozen=True, slots=True)
class Options:
    """`cards`: how many each seat has, and how many prizes there are."""

    cards: int = DEFAULT_CARDS

    def to_plain(self) -> Plain:
        """Only what differs from the defaults."""
        return {} if self.cards == DEFAULT_CARDS else {"cards": self.cards}


@dataclass(frozen=True, slots=True)
class Table:
    """What a state and a view share: `plays` in order, seat after seat, round after round."""

    options: Options
    seats: int
    plays: tuple[int, ...]

    @property
    def round(self) -> int:
        """How many rounds are finished."""
        return len(self.plays) // self.seats

    @property
    def over(self) -> bool:
        """Whether every prize has been played for."""
        return self.round == self.options.cards

    @property
    def actor(self) -> int | None:
        """Seat 0 begins every round."""
        return None if self.over else len(self.plays) % self.seats

    def shown(self) -> tuple[int, ...]:
        """The bids of the finished rounds."""
        return self.plays[: self.round * self.seats]

    def hand(self, seat: int) -> list[int]:
        """The cards of a seat as far as they are known: without the bids that are seen."""
        return sorted(set(range(self.options.cards)) - set(self.plays[seat :: self.seats]))


@dataclass(frozen=True, slots=True)
class State(Table):
    """A position; `prizes` has all of them, in the order in which they are turned up."""

    prizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View(Table):
    """What a viewer sees: `plays` with UNSEEN in it, `prizes` turned up, `deck` only for ALL."""

    viewer: int
    prizes: tuple[int, ...]
    deck: tuple[int, ...]


def points(table: State | View) -> list[int]:
    """Of every seat, from the finished rounds."""
    won = [0] * table.seats
    for number in range(table.round):
        bids = table.plays[number * table.seats :][: table.seats]
        if bids.count(max(bids)) == 1:
            won[bids.index(max(bids))] += table.prizes[number]
    return won
