"""States and views of The King Is Dead as JSON data and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Plain
from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import board as b
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.dealing import dealt_from_plain, dealt_to_plain, supply_of
from engine_service.games.king_is_dead.hidden import box_size
from engine_service.games.king_is_dead.state import OVER, Options, Table, View
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
        "plays": [a.NAMES[action] for action in table.plays],
    }


def view_from_plain(plain: Plain, parse_options: Callable[[Plain], Options]) -> View:
    """The inverse of `view_to_plain`: plays everything again; raises RulesError."""
    try:
        options = {key: plain[key] for key in ("variant", "plot_breaks_ties")}
        view = View(
            viewer=plain["viewer"],
            options=parse_options(options),
            table=_table(plain["dealt"], plain["plays"]),
            hands=tuple(map(tuple, plain["hands"])),
            box=tuple(plain["box"]),
        )
        agrees = view_to_plain(view) == plain
    except (KeyError, TypeError) as error:
        raise RulesError(f"not a view of king_is_dead: {error}") from error
    if not agrees:
        raise RulesError("not a view of king_is_dead: it contradicts its own plays")
    return view


def _table(plain: Any, plays: Any) -> Table:
    dealt = dealt_from_plain(plain, len(plain["courts"]))
    table = laid(dealt, supply_of(dealt))
    for ply, text in enumerate(plays):
        action = a.parse(text)
        if action not in possible(table):
            raise RulesError(f"ply {ply} of the view is not possible")
        table = play(table, action)
    return table


def _by_region(values: Sequence[Any]) -> Plain:
    return dict(zip(b.REGIONS, values, strict=True))
