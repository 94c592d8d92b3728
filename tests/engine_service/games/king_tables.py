"""Positions of The King Is Dead set by hand, and plays by notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead.effects import effects
from engine_service.games.king_is_dead.game import GAME
from engine_service.games.king_is_dead.state import EFFECT, OVER, Options, State

SECRETS = (("spy", "ambush", "march"), ("plot", "aid", "influence"))


def by_region(given: Mapping[str, Any], default: Any) -> tuple[Any, ...]:
    return tuple(given.get(name, default) for name in b.REGIONS)


def position(
    regions: Mapping[str, str] | None = None,
    discs: Mapping[str, str] | None = None,
    supply: str | None = None,
    row: str = "",
    seats: int = 2,
    secrets: Sequence[tuple[str, ...]] = (),
    **changes: Any,
) -> State:
    """The deal of the zeros with what is given instead; a region with a disc is empty."""
    options = Options("cunning" if secrets else "basic")
    state = GAME.deal(bytes(32), options, seats)
    table = state.table
    discs = discs or {}
    if regions is not None:
        filled = tuple(map(b.gather, by_region(regions, "")))
    else:
        filled = tuple(
            0 if name in discs else followers
            for name, followers in zip(b.REGIONS, table.regions, strict=True)
        )
    changes |= {"regions": filled, "discs": by_region(discs, b.OPEN)}
    changes |= {} if supply is None else {"supply": b.gather(supply)}
    changes |= {"row": tuple(map(b.REGIONS.index, row.split()))} if row else {}
    return State(options, table._replace(**changes), tuple(secrets) or state.cunning)


def closed_but(*names: str) -> dict[str, str]:
    """Discs on all other regions."""
    return {name: "W" for name in b.REGIONS if name not in names}


def ways(state: State, card: str) -> list[str]:
    """How the seat to move could carry out a card, sorted."""
    table = state.table._replace(stage=EFFECT, card=card)
    return sorted(map(GAME.notation, effects(table)))


def targets(state: State, card: str) -> set[str]:
    """The regions in which a card would place followers."""
    return {text.split()[2] for text in ways(state, card)}


def legal(state: State) -> list[str]:
    return [GAME.notation(action) for action in GAME.legal_actions(state)]


def play(state: State, *texts: str) -> State:
    for text in texts:
        assert text in legal(state), (text, legal(state)[:40])
        state = GAME.apply(state, GAME.parse(text))
    return state


def followers(state: State, region: str) -> tuple[int, ...]:
    """As S, W, E."""
    return b.counts(state.table.regions[b.REGIONS.index(region)])


def final(
    courts: Sequence[tuple[int, int, int]],
    wins: str,
    last: Sequence[int] = (),
    played: Sequence[int] = (),
    secrets: Sequence[tuple[str, ...]] = (),
    breaks: bool = True,
) -> State:
    """The end of a match: who won the spaces from 1 on, and how many cards each seat played."""
    seats = len(courts)
    state = position(seats=seats, secrets=secrets)
    discs = {b.REGIONS[region]: win for region, win in zip(state.table.row, wins, strict=False)}
    table = state.table._replace(
        stage=OVER,
        courts=tuple(b.gather("S" * s + "W" * w + "E" * e) for s, w, e in courts),
        discs=by_region(discs, b.OPEN),
        resolved=len(wins),
        last_cards=tuple(last) or (0,) * seats,
        discards=tuple(("assemble",) * number for number in played) or ((),) * seats,
    )
    return State(replace(state.options, plot_breaks_ties=breaks), table, state.cunning)


def ranks(state: State) -> tuple[int, ...]:
    result = GAME.result(state)
    assert result is not None
    return result.ranks


def score(state: State) -> dict[str, Any]:
    result = GAME.result(state)
    assert result is not None
    return result.score
