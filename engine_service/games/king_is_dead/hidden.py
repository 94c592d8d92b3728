"""Who knows which cards in hand, and from a view to a full state that looks the same."""

from __future__ import annotations

from collections.abc import Sequence

from engine_service.core.errors import RulesError
from engine_service.core.game import Rng, Viewer
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead.state import (
    ALL,
    OVER,
    SPECTATOR,
    Cards,
    Options,
    State,
    Table,
    View,
)


def hand(state: State, seat: int) -> Cards:
    """What the seat still holds, in canonical order."""
    return c.in_order((*common_cards(state.options, state.table, seat), *_secrets(state, seat)))


def common_cards(options: Options, table: Table, seat: int) -> Cards:
    """What everybody knows that the seat still holds."""
    return tuple(c.without(c.KNOWN_SETS[options.variant], table.discards[seat]))


def view(state: State, viewer: Viewer) -> View:
    """The table, and the cards that the viewer knows; Plot is shown when the game is over."""
    table, seen = state.table, _viewer_number(viewer, state.table.seats)
    hands = []
    for seat in range(table.seats):
        if seen in (seat, ALL):
            hands.append(hand(state, seat))
        else:
            shown = [c.PLOT] if table.stage == OVER and c.PLOT in _secrets(state, seat) else []
            hands.append((*common_cards(state.options, table, seat), *shown))
    return View(seen, state.options, table, tuple(hands), _box(state) if seen == ALL else ())


def guess(view: View, rng: Rng) -> State:
    """Every deal of the secret cards that fits the view is equally likely."""
    if view.options.variant == "basic":
        return State(view.options, view.table, ())
    known = [_known_secrets(view, seat) for seat in range(view.table.seats)]
    pool = c.without(c.CUNNING, [card for cards in known for card in cards])
    if view.table.stage == OVER:
        pool = c.without(pool, [c.PLOT])  # whoever holds it has shown it
    rng.shuffle(pool)
    drawn = iter(pool)
    cunning = tuple(
        (*cards, *(next(drawn) for _ in range(c.SECRETS - len(cards)))) for cards in known
    )
    return State(view.options, view.table, cunning)


def check_hands(options: Options, table: Table, hands: Sequence[Cards]) -> None:
    """Raise RulesError unless each seat can have been dealt what it played and is said to hold."""
    for seat, (held, discards) in enumerate(zip(hands, table.discards, strict=True)):
        common = common_cards(options, table, seat)
        secret = c.without((*discards, *held), c.KNOWN_SETS[options.variant])
        secrets = [card for card in dict.fromkeys(secret) if card in c.CUNNING]
        most = c.SECRETS if options.variant == "cunning" else 0
        if secrets != secret or len(secret) > most or c.without(held, secret) != list(common):
            raise RulesError(f"seat {seat} cannot hold and have played these cards")


def box_size(options: Options, seats: int) -> int:
    """How many cunning cards are out of the game unseen."""
    return len(c.CUNNING) - c.SECRETS * seats if options.variant == "cunning" else 0


def _known_secrets(view: View, seat: int) -> Cards:
    """The secret cards of the seat that the viewer knows: played, or in a hand it sees."""
    cards = (*view.table.discards[seat], *view.hands[seat])
    return tuple(card for card in cards if card in c.CUNNING)


def _secrets(state: State, seat: int) -> list[str]:
    """The secret cards in hand; none in the basic game."""
    dealt = state.cunning[seat] if state.cunning else ()
    return c.without(dealt, state.table.discards[seat])


def _box(state: State) -> Cards:
    if not state.cunning:
        return ()
    return tuple(c.without(c.CUNNING, [card for dealt in state.cunning for card in dealt]))


def _viewer_number(viewer: Viewer, seats: int) -> int:
    if viewer == "spectator":
        return SPECTATOR
    if viewer == "all":
        return ALL
    if viewer not in range(seats):
        raise RulesError(f"a match of king_is_dead for {seats} has no seat {viewer}")
    return int(viewer)
