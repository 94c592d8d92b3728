"""Hidden Leaders: Duel: fourteen turns of take, return and play, then the rows are shared out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine_service.core.errors import RulesError
from engine_service.core.game import Game, GameResult, Plain, Rng, Viewer
from engine_service.core.seeds import Stream
from engine_service.games.hidden_leaders_duel import actions as a
from engine_service.games.hidden_leaders_duel import dealing, turns
from engine_service.games.hidden_leaders_duel import plain as p
from engine_service.games.hidden_leaders_duel.hidden import guess
from engine_service.games.hidden_leaders_duel.options import parse_options
from engine_service.games.hidden_leaders_duel.scoring import judge, rows, share_out
from engine_service.games.hidden_leaders_duel.state import (
    ALL,
    PLIES,
    SPECTATOR,
    Options,
    State,
    View,
)
from engine_service.games.hidden_leaders_duel.views import view


class HiddenLeadersDuel(Game):
    """The rules; see docs/games/hidden_leaders_duel.md for the rulings."""

    name = "hidden_leaders_duel"
    title = "Hidden Leaders: Duel"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2,)
    max_plies = PLIES

    def parse_options(self, raw: Mapping[str, Any]) -> Options:
        """`deck`, `leaders` and `hidden_factions`."""
        return parse_options(raw)

    def deal(self, seed: bytes, options: Options, seats: int) -> State:
        """Shuffle heroes and leaders, deal both from the front."""
        heroes, leaders = list(options.deck), list(options.leaders)
        Stream(seed, "hidden_leaders_duel/heroes").shuffle(heroes)
        Stream(seed, "hidden_leaders_duel/leaders").shuffle(leaders)
        return dealing.dealt(options, tuple(heroes), (leaders[0], leaders[1]))

    def deal_to_plain(self, state: State) -> Plain:
        """Leaders, hands, row and pile in the order dealt."""
        return dealing.deal_to_plain(state)

    def deal_from_plain(self, plain: Plain, options: Options, seats: int) -> State:
        """Exactly the heroes of the deck, and two of its leaders."""
        return dealing.deal_from_plain(plain, options)

    def actor(self, state: State) -> int | None:
        """The seats take turns, seat 0 first."""
        return None if state.step == "over" else state.seat

    def legal_actions(self, state: State) -> list[int]:
        """By the step of the turn."""
        step = state.step
        return [] if step == "over" else _LEGAL[step](state)

    def apply(self, state: State, action: int) -> State:
        """Take the step of the turn; the draw follows the play."""
        return turns.act(state, a.decode(action))

    def view(self, state: State, viewer: Viewer) -> View:
        """Built from what is public, plus the viewer's own heroes and leader."""
        return view(state, _viewer_number(viewer))

    def view_to_plain(self, view: View) -> Plain:
        """Keys as in the game's proto message."""
        return p.view_to_plain(view)

    def view_from_plain(self, plain: Plain) -> View:
        """Raises RulesError."""
        return p.view_from_plain(plain)

    def state_to_plain(self, state: State) -> Plain:
        """The deal and what was played since."""
        return p.state_to_plain(state)

    def state_from_plain(self, plain: Plain) -> State:
        """Plays everything again, so that the state cannot contradict itself."""
        try:
            raw, deal, plays = plain["options"], plain["deal"], plain["plays"]
            actions = list(map(a.parse, plays))
        except (KeyError, TypeError) as error:
            raise RulesError("a state has options, deal and plays") from error
        state = self.deal_from_plain(deal, self.parse_options(raw), 2)
        for ply, action in enumerate(actions):
            if action not in self.legal_actions(state):
                raise RulesError(f"ply {ply} of the state is not legal")
            state = self.apply(state, action)
        return state

    def determinize(self, view: View, rng: Rng) -> State:
        """Each match that fits can come, all equally often in a game without options."""
        return guess(view, rng)

    def result(self, state: State) -> GameResult | None:
        """The stronger army wins, of equal ones the larger."""
        if state.step != "over":
            return None
        return judge(share_out(rows(state.slots), state.councils, state.leaders))

    def notation(self, action: int) -> str:
        """As in docs/games/hidden_leaders_duel.md."""
        return a.notation(action)

    def parse(self, text: str) -> int:
        """The inverse of `notation`."""
        return a.parse(text)

    def event_notation(self, action: int, actor_seat: int, viewer: Viewer, options: Options) -> str:
        """Only what is played is played face down."""
        if viewer in (actor_seat, "all"):
            return a.notation(action)
        return a.unseen_notation(action, options.hidden_factions)


GAME = HiddenLeadersDuel()

_LEGAL = {"take": turns.takes, "return": turns.returns, "play": turns.plays}


def _viewer_number(viewer: Viewer) -> int:
    if viewer == "spectator":
        return SPECTATOR
    if viewer == "all":
        return ALL
    if viewer not in (0, 1):
        raise RulesError(f"hidden_leaders_duel has no seat {viewer}")
    return int(viewer)
