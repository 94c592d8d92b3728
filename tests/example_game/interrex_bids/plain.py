"""Deals and views of Bids as JSON data and back. Cards stand as their numbers, from 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from interrex_bids.state import ALL, Options, View, points

_KEYS = ("viewer", "cards", "seats", "actor", "prizes", "deck", "plays", "hands", "points")


def prizes(plain: Any, options: Options) -> tuple[int, ...]:
    """The prizes of a deal, in their order; raises RulesError."""
    if not isinstance(plain, dict) or set(plain) != {"first", "prizes"} or plain["first"] != 0:
        raise RulesError("a deal has first, which is 0, and prizes")
    found = _numbers(plain["prizes"], 1, options.cards)
    if sorted(found) != list(range(1, options.cards + 1)):
        raise RulesError(f"a deal has each prize from 1 to {options.cards} once")
    return found


def view_to_plain(view: View) -> Plain:
    """All keys always present; -1 as the actor of a match that is over."""
    return {
        "viewer": view.viewer,
        "cards": view.options.cards,
        "seats": view.seats,
        "actor": -1 if view.actor is None else view.actor,
        "prizes": list(view.prizes),
        "deck": list(view.deck),
        "plays": [play + 1 for play in view.plays],
        "hands": [[card + 1 for card in view.hand(seat)] for seat in range(view.seats)],
        "points": points(view),
    }


def view_from_plain(plain: Any, options: Callable[[Mapping[str, Any]], Options]) -> View:
    """What is written twice is read once; raises RulesError."""
    if not isinstance(plain, dict) or set(plain) != set(_KEYS):
        raise RulesError(f"a view has {', '.join(_KEYS)}")
    wanted = options({"cards": plain["cards"]})
    (viewer,) = _numbers([plain["viewer"]], ALL, 2)
    (seats,) = _numbers([plain["seats"]], 2, 3)
    plays = tuple(card - 1 for card in _numbers(plain["plays"], 0, wanted.cards))
    up = _numbers(plain["prizes"], 1, wanted.cards)
    return View(wanted, seats, plays, viewer, up, _numbers(plain["deck"], 1, wanted.cards))


def _numbers(values: Any, low: int, high: int) -> tuple[int, ...]:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise RulesError("expected a list of numbers")
    if any(not low <= value <= high for value in values):
        raise RulesError(f"expected numbers from {low} to {high}, got {values[:20]}")
    return tuple(values)
