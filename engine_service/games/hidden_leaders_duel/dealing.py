"""The deal of Hidden Leaders: Duel: the position it gives, and its form in replays."""

from __future__ import annotations

from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.games.hidden_leaders_duel.heroes import SLOTS, heroes, ordered
from engine_service.games.hidden_leaders_duel.state import (
    HAND,
    PILE,
    PILE_START,
    ROW_START,
    Heroes,
    Leader,
    Options,
    Slot,
    State,
)

Leaders = tuple[Leader, Leader]


def dealt(options: Options, cards: Heroes, leaders: Leaders) -> State:
    """The state at ply 0 of the heroes in the order dealt."""
    return State(
        options=options,
        heroes=cards,
        leaders=leaders,
        slots=tuple(map(Slot, cards[ROW_START:PILE_START])),
        hands=(ordered(cards[:HAND]), ordered(cards[HAND:ROW_START])),
        councils=((), ()),
    )


def deal_to_plain(state: State) -> Plain:
    """Leaders by their factions; hands, row and pile in the order dealt."""
    cards = list(state.heroes)
    return {
        "first": 0,
        "leaders": [leader.factions for leader in state.leaders],
        "hands": [cards[:HAND], cards[HAND:ROW_START]],
        "row": cards[ROW_START:PILE_START],
        "pile": cards[PILE_START:],
    }


def deal_from_plain(plain: Any, options: Options) -> State:
    """The inverse of `deal_to_plain`; raises RulesError."""
    if not isinstance(plain, dict) or set(plain) != {"first", "leaders", "hands", "row", "pile"}:
        raise RulesError("a deal has first, leaders, hands, row and pile")
    if type(plain["first"]) is not int or plain["first"] != 0:
        raise RulesError("seat 0 moves first")
    hands = plain["hands"]
    if not isinstance(hands, list) or len(hands) != 2:
        raise RulesError("a deal has two hands")
    parts = [*map(heroes, hands), heroes(plain["row"]), heroes(plain["pile"])]
    if [len(part) for part in parts] != [HAND, HAND, SLOTS, PILE]:
        raise RulesError(f"a hand has {HAND} heroes, the row {SLOTS}, the pile {PILE}")
    cards = tuple(hero for part in parts for hero in part)
    if ordered(cards) != ordered(options.deck):
        raise RulesError("a deal has exactly the heroes of the deck")
    return dealt(options, cards, _leaders(plain["leaders"], options))


def _leaders(names: Any, options: Options) -> Leaders:
    by_factions = {leader.factions: leader for leader in options.leaders}
    if not isinstance(names, list) or len(names) != 2 or names[0] == names[1]:
        raise RulesError("a deal has two different leaders")
    for name in names:
        if not isinstance(name, str) or name not in by_factions:
            raise RulesError(f"no leader has the factions {str(name)[:20]!r}")
    return by_factions[names[0]], by_factions[names[1]]
