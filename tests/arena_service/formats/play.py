"""Tournaments of pure formats, played without a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from arena_service.formats.format import (
    Departure,
    Draws,
    Encounter,
    Field,
    Format,
    Group,
    Pairing,
    Round,
)
from engine_service.core.seeds import Stream, draw_seed

Results = Callable[[int, Group], tuple[float, ...]]
Leaving = Callable[[int], Sequence[Departure]]


def draws(key: int = 0) -> Draws:
    """The draws of an event with a small key."""
    return lambda purpose: Stream(
        draw_seed(key.to_bytes(32, "big"), "e1", "0" * 64, purpose), "draw"
    )


def field(count: int, rounds: int = 0, seats: int = 2, **more: object) -> Field:
    """So many entrants."""
    return replace(Field(tuple(f"v{n:03}" for n in range(count)), seats, rounds), **more)


def stays(_round: int) -> Sequence[Departure]:
    """Nobody leaves."""
    return ()


def play(
    format: Format, terms: Field, results: Results, key: int = 0, leaving: Leaving = stays
) -> tuple[Field, list[Round], list[Pairing]]:
    """Round by round until it is over; `results` are credits of a round's group, by place.

    `leaving` names who leaves while a round is played: their encounters in it are cut short.
    """
    history: list[Round] = []
    pairings: list[Pairing] = []
    while (pairing := format.next_round(terms, history, draws(key))) is not None:
        assert pairing.groups
        number = len(history) + 1
        terms = replace(terms, departures=(*terms.departures, *leaving(number)))
        gone = {each.entrant for each in terms.departures if each.round == number}
        encounters = tuple(
            Encounter(group, results(number, group), 1, gone.isdisjoint(group))
            for group in pairing.groups
        )
        history.append(Round(encounters, pairing.byes))
        pairings.append(pairing)
    return terms, history, pairings


def by_strength(_round: int, group: Group) -> tuple[float, ...]:
    """The lower name takes all."""
    return tuple(1.0 if entrant == min(group) else 0.0 for entrant in group)
