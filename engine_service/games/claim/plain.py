"""Deals, states and views of Claim as JSON data and back."""

from __future__ import annotations

from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.games.claim import cards as c
from engine_service.games.claim.state import DECK_START, HAND, Pair, State, Trick, View

_SETS = ("hands", "followers", "scored")
_ROWS = ("deck", "discarded")
_NUMBERS = ("viewer", "phase", "trick", "leader", "actor", "deck_size")
_COUNTS = ("hand_sizes", "blind_counts", "votes")


def deal_to_plain(state: State) -> Plain:
    """Hands and deck in the order dealt."""
    names = c.card_names(state.cards)
    hands = [names[:HAND], names[HAND:DECK_START]]
    return {"first": 0, "hands": hands, "deck": names[DECK_START:]}


def deal_cards(plain: Any) -> tuple[int, ...]:
    """The 52 cards of a deal in the order dealt; raises RulesError."""
    if not isinstance(plain, dict) or set(plain) != {"first", "hands", "deck"}:
        raise RulesError("a deal has first, hands and deck")
    if type(plain["first"]) is not int or plain["first"] != 0:
        raise RulesError("seat 0 leads the first trick")
    hands = plain["hands"]
    if not isinstance(hands, list) or len(hands) != 2:
        raise RulesError("a deal has two hands")
    dealt = [c.card_ids(hand) for hand in hands]
    if any(len(hand) != HAND for hand in dealt):
        raise RulesError(f"a hand has {HAND} cards")
    cards = (*dealt[0], *dealt[1], *c.card_ids(plain["deck"]))
    if tuple(sorted(cards)) != c.DECK:
        raise RulesError("a deal has each of the 52 cards once")
    return cards


def state_to_plain(state: State) -> Plain:
    """The deal and what was played since."""
    return {
        "options": state.options.to_plain(),
        "deal": deal_to_plain(state),
        "plays": c.card_names(state.plays),
    }


def view_to_plain(view: View) -> Plain:
    """All keys always present; sets in canonical order, so that their order tells nothing."""
    return {
        "viewer": view.viewer,
        "phase": view.phase,
        "trick": view.trick,
        "leader": view.leader,
        "actor": view.actor,
        "prize": _name(view.prize),
        "led": _name(view.led),
        "hands": _piles(view.hands),
        "hand_sizes": list(view.hand_sizes),
        "deck_size": view.deck_size,
        "deck": c.card_names(view.deck),
        "followers": _piles(view.followers),
        "blind_counts": list(view.blind_counts),
        "scored": _piles(view.scored),
        "discarded": c.card_names(view.discarded),
        "tricks": [_trick_to_plain(trick) for trick in view.tricks],
        "votes": list(view.votes),
    }


def view_from_plain(plain: Plain) -> View:
    """The inverse of `view_to_plain`; raises RulesError."""
    try:
        values: dict[str, Any] = {name: _number(plain[name]) for name in _NUMBERS}
        values |= {name: _set_pair(plain[name]) for name in _SETS}
        values |= {name: c.card_ids(plain[name]) for name in _ROWS}
        values |= {name: tuple(map(_number, plain[name])) for name in _COUNTS}
        values |= {name: _optional(plain[name]) for name in ("prize", "led")}
        return View(**values, tricks=tuple(map(_trick_from_plain, plain["tricks"])))
    except (KeyError, TypeError, ValueError) as error:
        raise RulesError(f"not a view of claim: {error}") from error


def _trick_to_plain(trick: Trick) -> Plain:
    return {
        "phase": trick.phase,
        "leader": trick.leader,
        "cards": c.card_names(trick.cards),
        "winner": trick.winner,
        "prize": _name(trick.prize),
    }


def _trick_from_plain(plain: Plain) -> Trick:
    led, reply = c.card_ids(plain["cards"])
    return Trick(
        phase=_number(plain["phase"]),
        leader=_number(plain["leader"]),
        cards=(led, reply),
        winner=_number(plain["winner"]),
        prize=_optional(plain["prize"]),
    )


def _name(card: int) -> str:
    return "" if card < 0 else c.NAMES[card]


def _optional(name: object) -> int:
    return -1 if name == "" else c.card_id(name)


def _piles(piles: Pair) -> list[list[str]]:
    return [c.card_names(c.members(pile)) for pile in piles]


def _set_pair(plain: Any) -> Pair:
    first, second = plain
    return c.collect(c.card_ids(first)), c.collect(c.card_ids(second))


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"expected a whole number, not {value!r}")
    return value
