"""States and views of The King Is Dead as JSON data and back: what was played is played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.dealing import (
    deal_from_plain,
    deal_to_plain,
    dealt_from_plain,
    dealt_to_plain,
    supply_of,
)
from engine_service.games.king_is_dead.hidden import box_size, check_hands, hand
from engine_service.games.king_is_dead.state import (
    ALL,
    MAX_PLIES,
    OVER,
    Dealt,
    Options,
    State,
    Table,
    View,
)
from engine_service.games.king_is_dead.turns import laid, play, possible


def view_to_plain(view: View) -> Plain:
    """All keys always present; hands in canonical order, discards and plays as they came."""
    table = view.table
    return {
        "viewer": view.viewer,
        "variant": view.options.variant,
        "plot_breaks_ties": view.options.plot_breaks_ties,
        "stage": table.stage,
        "actor": -1 if table.stage == OVER else table.seat,
        "card": table.card,
        "passes": table.passes,
        "regions": _by_region([list(b.counts(region)) for region in table.regions]),
        "discs": _by_region(table.discs),
        "supply": list(b.counts(table.supply)),
        "courts": [list(b.counts(court)) for court in table.courts],
        "row": [b.REGIONS[region] for region in table.row],
        "resolved": table.resolved,
        "negotiated": _by_region(table.negotiated),
        "hands": [list(hand) for hand in view.hands],
        "hand_sizes": [c.HAND - len(discards) for discards in table.discards],
        "discards": [list(discards) for discards in table.discards],
        "last_cards": list(table.last_cards),
        "box_size": box_size(view.options, table.seats),
        "box": list(view.box),
        "dealt": dealt_to_plain(table.dealt),
        "plays": _names(table),
    }


def view_from_plain(plain: Plain, parse_options: Callable[[Plain], Options]) -> View:
    """The inverse of `view_to_plain`; raises RulesError."""
    try:
        options = parse_options({key: plain[key] for key in ("variant", "plot_breaks_ties")})
        dealt = dealt_from_plain(plain["dealt"], len(plain["dealt"]["courts"]))
        view = View(
            viewer=plain["viewer"],
            options=options,
            table=_after(dealt, tuple(plain["plays"])),
            hands=tuple(map(tuple, plain["hands"])),
            box=tuple(plain["box"]),
        )
        agrees = view_to_plain(view) == plain
    except (KeyError, TypeError) as error:
        raise RulesError(f"not a view of king_is_dead: {error}") from error
    if (
        not agrees
        or type(view.viewer) is not int
        or view.viewer not in range(ALL, len(dealt.courts))
    ):
        raise RulesError("not a view of king_is_dead: it contradicts its own plays")
    check_hands(options, view.table, view.hands)
    return view


def state_to_plain(state: State) -> Plain:
    """The deal and what was played since."""
    return {
        "options": state.options.to_plain(),
        "seats": state.table.seats,
        "deal": deal_to_plain(state),
        "plays": _names(state.table),
    }


def state_from_plain(plain: Plain, parse_options: Callable[[Plain], Options]) -> State:
    """The inverse of `state_to_plain`; raises RulesError."""
    try:
        raw, seats, deal, plays = (plain[key] for key in ("options", "seats", "deal", "plays"))
        first = deal_from_plain(deal, parse_options(raw), seats)
        state = replace(first, table=_after(first.table.dealt, tuple(plays)))
    except (KeyError, TypeError) as error:
        raise RulesError("a state has options, seats, deal and plays") from error
    check_hands(
        state.options, state.table, [hand(state, seat) for seat in range(state.table.seats)]
    )
    return state


@lru_cache(maxsize=256)  # a reader of one match after the other: each position follows the last
def _after(dealt: Dealt, plays: tuple[str, ...]) -> Table:
    if not plays:
        return laid(dealt, supply_of(dealt))
    if len(plays) > MAX_PLIES:
        raise RulesError(f"no match has more than {MAX_PLIES} plies")
    table, action = _after(dealt, plays[:-1]), a.parse(plays[-1])
    if action not in possible(table):
        raise RulesError(f"ply {len(plays) - 1}: {plays[-1]} is not possible")
    return play(table, action)


def _names(table: Table) -> list[str]:
    return [a.NAMES[action] for action in table.plays]


def _by_region(values: Sequence[Any]) -> Plain:
    return dict(zip(b.REGIONS, values, strict=True))
