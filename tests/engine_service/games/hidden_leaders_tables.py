"""Matches of Hidden Leaders: Duel dealt by hand, plays by notation, and what a seat is told."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine_service.core import referee
from engine_service.core.game import Plain, Viewer
from engine_service.core.referee import Position
from engine_service.games.hidden_leaders_duel.game import GAME
from engine_service.games.hidden_leaders_duel.heroes import DECK, SLOTS
from engine_service.games.hidden_leaders_duel.state import Options, State
from engine_service.wire.match import events

HIDDEN = Options(hidden_factions=True)


def deal(
    hands: Sequence[str] = ("", ""),
    row: Mapping[int, str] | None = None,
    pile: str = "",
    leaders: Sequence[str] = ("RG", "BK"),
    options: Options | None = None,
) -> State:
    """The heroes that are named where they are named, the others in the order of the deck."""
    row = row or {}
    named = [*hands[0].split(), *hands[1].split(), *row.values(), *pile.split()]
    assert len(named) == len(set(named))
    rest = iter([hero for hero in DECK if hero not in named])

    def fill(given: str, size: int) -> list[str]:
        heroes = given.split()
        return heroes + [next(rest) for _ in range(size - len(heroes))]

    plain = {
        "first": 0,
        "leaders": list(leaders),
        "hands": [fill(hands[0], 3), fill(hands[1], 3)],
        "row": [row.get(slot) or next(rest) for slot in range(SLOTS)],
        "pile": fill(pile, 8),
    }
    return GAME.deal_from_plain(plain, options or Options(), 2)


def changed(state: State, **parts: Any) -> State:
    """The same deal but for some parts of its plain form."""
    return GAME.deal_from_plain(GAME.deal_to_plain(state) | parts, state.options, 2)


def swapped(state: State, one: str, other: str) -> State:
    """The same deal with two heroes in each other's place."""
    places = {one: other, other: one}

    def swap(part: Any) -> Any:
        if isinstance(part, list):
            return [swap(item) for item in part]
        return places.get(part, part)

    plain = GAME.deal_to_plain(state)
    parts = {key: swap(plain[key]) for key in ("hands", "row", "pile")}
    return changed(state, **parts)


def legal(state: State) -> list[str]:
    return [GAME.notation(action) for action in GAME.legal_actions(state)]


def play(state: State, *texts: str) -> State:
    for text in texts:
        assert text in legal(state), (text, legal(state)[:40])
        state = GAME.apply(state, GAME.parse(text))
    return state


def plain(state: State, viewer: Viewer) -> Plain:
    return GAME.view_to_plain(GAME.view(state, viewer))


def after(seed: int, plies: int, options: Options | None = None) -> State:
    """A random match after some plies."""
    rng = random.Random(seed)
    state = GAME.deal(seed.to_bytes(32, "big"), options or Options(), 2)
    for _ in range(plies):
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state)))
    return state


def told(state: State, viewer: Viewer, *texts: str) -> list[Any]:
    """All that a viewer is told of a match, ply by ply: views, events, and what it may do."""
    position: Position = referee.set_up(GAME, state.options, 2, GAME.deal_to_plain(state))
    heard: list[Any] = []
    for text in (None, *texts):
        if text is not None:
            position = referee.play(position, text)
        heard.append(plain(position.state, viewer))
        if isinstance(viewer, int):
            heard.append(events(position, viewer))
            heard.append(legal(position.state) if position.actor == viewer else None)
    return heard
