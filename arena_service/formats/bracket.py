"""The bracket of a double elimination: who meets whom, as far as it does not hang on results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """Which part of the bracket an encounter is in."""

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    RESET = "reset"


@dataclass(frozen=True)
class Source:
    """Where one of the two comes from: a place of the seeding, or an encounter won or lost."""

    seed: int | None = None
    encounter: int | None = None
    won: bool = True


@dataclass(frozen=True)
class Slot:
    """An encounter of the bracket.

    `round` counts from 1 within its side. Who loses its last encounter at a higher `stage` has come
    further: the rounds of the losers' side in their order, then the final.
    """

    side: Side
    round: int
    stage: int
    sources: tuple[Source, Source]


def bracket(entrants: int) -> tuple[Slot, ...]:
    """For so many entrants, in the order of play; places beyond the entrants are byes."""
    if entrants < 2:
        return ()
    depth = (entrants - 1).bit_length()
    slots: list[Slot] = []
    winners = [_add(slots, Side.WINNERS, 1, 1, pair) for pair in _first_round(depth)]
    losers = [Source(encounter=each, won=False) for each in winners]
    for round in range(2, depth + 1):
        winners = [
            _add(slots, Side.WINNERS, round, 2 * round - 2, pair) for pair in _twos(_won(winners))
        ]
        # Whoever is left of the losers plays for a place, then meets those who lose now, in another
        # order in every round, so that nobody soon meets again who it has just lost to.
        stage = 2 * round - 3
        waiting = _won([_add(slots, Side.LOSERS, stage, stage, pair) for pair in _twos(losers)])
        fallen = _turned([Source(encounter=each, won=False) for each in winners], round)
        losers = _won(
            [
                _add(slots, Side.LOSERS, stage + 1, stage + 1, pair)
                for pair in zip(waiting, fallen, strict=True)
            ]
        )
    last = 2 * depth - 1
    final = _add(slots, Side.FINAL, 1, last, (_won(winners)[0], losers[0]))
    both = (Source(encounter=final), Source(encounter=final, won=False))
    _add(slots, Side.RESET, 1, last, both)
    return tuple(slots)


def seeding_order(depth: int) -> list[int]:
    """Places 0 to 2^depth - 1 so that the best meet as late as possible: neighbours meet first."""
    order = [0]
    for _ in range(depth):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return order


def _first_round(depth: int) -> list[tuple[Source, Source]]:
    return _twos([Source(seed=place) for place in seeding_order(depth)])


def _add(
    slots: list[Slot], side: Side, round: int, stage: int, sources: tuple[Source, Source]
) -> int:
    slots.append(Slot(side, round, stage, sources))
    return len(slots) - 1


def _won(encounters: list[int]) -> list[Source]:
    return [Source(encounter=each) for each in encounters]


def _twos(sources: list[Source]) -> list[tuple[Source, Source]]:
    return list(zip(sources[::2], sources[1::2], strict=True))


def _turned(sources: list[Source], round: int) -> list[Source]:
    if round % 2 == 0:
        return sources[::-1]
    half = len(sources) // 2
    return sources[half:] + sources[:half]
