"""The King Is Dead, second edition: eight power struggles, and the crown for the best court."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine_service.core.errors import OptionError, RulesError
from engine_service.core.game import Game, GameResult, Plain, Rng, Viewer
from engine_service.games.king_is_dead import actions as a
from engine_service.games.king_is_dead import cards as c
from engine_service.games.king_is_dead import dealing, ending, hidden, turns
from engine_service.games.king_is_dead import plain as p
from engine_service.games.king_is_dead.state import CARD, MAX_PLIES, OVER, Options, State, View

VARIANTS = tuple(c.KNOWN_SETS)


class KingIsDead(Game):
    """The rules; see docs/games/king_is_dead.md for the rulings."""

    name = "king_is_dead"
    title = "The King Is Dead"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2, 3, 4)
    max_plies = MAX_PLIES

    def parse_options(self, raw: Mapping[str, Any]) -> Options:
        """`variant` and `plot_breaks_ties`."""
        if not isinstance(raw, Mapping):
            raise OptionError("options", "an object")
        for key in raw:
            if key not in ("variant", "plot_breaks_ties"):
                raise OptionError(str(key), "one of variant, plot_breaks_ties")
        variant = raw.get("variant", "basic")
        if variant not in VARIANTS:
            raise OptionError("variant", "basic or cunning")
        breaks = raw.get("plot_breaks_ties", True)
        if not isinstance(breaks, bool):
            raise OptionError("plot_breaks_ties", "true or false")
        return Options(variant, breaks)

    def teams(self, options: Options, seats: int) -> tuple[int, ...]:
        """With four seats partners sit opposite."""
        return ending.teams_of(seats)

    def deal(self, seed: bytes, options: Options, seats: int) -> State:
        """Followers, region cards and cunning cards are shuffled apart."""
        return dealing.deal(seed, options, seats)

    def deal_to_plain(self, state: State) -> Plain:
        """All lists in the order dealt."""
        return dealing.deal_to_plain(state)

    def deal_from_plain(self, plain: Plain, options: Options, seats: int) -> State:
        """No more followers than there are, each region card once, each cunning card at most."""
        return dealing.deal_from_plain(plain, options, seats)

    def actor(self, state: State) -> int | None:
        """Seats take turns, passes included."""
        return None if state.table.stage == OVER else state.table.seat

    def legal_actions(self, state: State) -> list[int]:
        """A card of the hand or a pass; then what everybody could work out."""
        if state.table.stage != CARD:
            return turns.possible(state.table)
        held = hidden.hand(state, state.table.seat)
        return [a.PASS, *(a.PLAY[card] for card in dict.fromkeys(held) if card != c.PLOT)]

    def apply(self, state: State, action: int) -> State:
        """Only the table changes: a hand is what was dealt less what was played."""
        return State(state.options, turns.play(state.table, action), state.cunning)

    def view(self, state: State, viewer: Viewer) -> View:
        """Secret are only the cunning cards in hand and in the box."""
        return hidden.view(state, viewer)

    def view_to_plain(self, view: View) -> Plain:
        """Keys as in the game's proto message."""
        return p.view_to_plain(view)

    def view_from_plain(self, plain: Plain) -> View:
        """Raises RulesError."""
        return p.view_from_plain(plain, self.parse_options)

    def state_to_plain(self, state: State) -> Plain:
        """The deal and what was played since."""
        return p.state_to_plain(state)

    def state_from_plain(self, plain: Plain) -> State:
        """Plays everything again, so that the state cannot contradict itself."""
        return p.state_from_plain(plain, self.parse_options)

    def determinize(self, view: View, rng: Rng) -> State:
        """Every deal that fits the view is equally likely."""
        return hidden.guess(view, rng)

    def result(self, state: State) -> GameResult | None:
        """An invasion or a coronation."""
        return ending.result(state)

    def notation(self, action: int) -> str:
        """As in docs/games/king_is_dead.md."""
        if not 0 <= action < len(a.NAMES):
            raise RulesError(f"king_is_dead has no action {action}")
        return a.NAMES[action]

    def parse(self, text: str) -> int:
        """The inverse of `notation`."""
        return a.parse(text)

    def event_notation(self, action: int, actor_seat: int, viewer: Viewer, options: Options) -> str:
        """Everything is done in the open."""
        return a.NAMES[action]


GAME = KingIsDead()
