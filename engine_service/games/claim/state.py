"""What a match of Claim is at one moment, and what one viewer may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from engine_service.core.game import Plain
from engine_service.games.claim import cards as c

HAND = 13
TRICKS = 13  # of each phase
PHASE_PLIES = 2 * TRICKS
PLIES = 2 * PHASE_PLIES
DECK_START = 2 * HAND  # where the draw deck begins in `State.cards`

SPECTATOR, ALL = -1, -2

Pair = tuple[int, int]
NO_CARDS: Pair = (0, 0)


@dataclass(frozen=True, slots=True)
class Options:
    """`blind_peek`: the owner of a blind card may look at it at once."""

    blind_peek: bool = False

    def to_plain(self) -> Plain:
        """Only what differs from the defaults."""
        return {
            f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default
        }


@dataclass(frozen=True, slots=True)
class State:
    """`cards` is the deal: hand 0, hand 1, deck. Piles are sets by seat, `followers` until phase 2.

    `leaders` holds the leader of every trick begun, and at the end the winner of the last.
    """

    options: Options
    cards: tuple[int, ...]
    hands: Pair
    followers: Pair
    scored: Pair
    plays: tuple[int, ...]
    leaders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trick:
    """A closed trick: the cards in order of play; `prize` is -1 in phase 2."""

    phase: int
    leader: int
    cards: Pair
    winner: int
    prize: int


@dataclass(frozen=True, slots=True)
class View:
    """Sets by seat hold only cards the viewer knows; `prize` and `led` are -1 for none."""

    viewer: int
    phase: int
    trick: int
    leader: int
    actor: int
    prize: int
    led: int
    hands: Pair
    hand_sizes: Pair
    deck_size: int
    deck: tuple[int, ...]
    followers: Pair
    blind_counts: Pair
    scored: Pair
    discarded: tuple[int, ...]
    tricks: tuple[Trick, ...]
    votes: tuple[int, ...]


def phase_plays(tricks: Sequence[Trick], led: int, leader: int, phase: int) -> list[list[int]]:
    """By seat: what it played in a phase; `led` is the card on the table or -1."""
    plays: list[list[int]] = [[], []]
    for trick in tricks:
        if trick.phase == phase:
            plays[trick.leader].append(trick.cards[0])
            plays[1 - trick.leader].append(trick.cards[1])
    if led >= 0 and phase == (1 if len(tricks) < TRICKS else 2):
        plays[leader].append(led)
    return plays


def prizes_won(tricks: Sequence[Trick]) -> list[int]:
    """By seat: the set of its prizes, spent or not."""
    won = [0, 0]
    for trick in tricks:
        if trick.prize >= 0:
            won[trick.winner] += c.UNIT[trick.prize]
    return won
