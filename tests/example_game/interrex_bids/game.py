"""The rules of Bids, as the arena asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine_service.core.errors import OptionError, RulesError
from engine_service.core.game import Game, GameResult, Plain, Rng, Viewer
from engine_service.core.seeds import Stream
from interrex_bids import plain as p
from interrex_bids.state import ALL, DEFAULT_CARDS, SPECTATOR, UNSEEN, Options, State, View, points

FEWEST, MOST = 3, 9


class Bids(Game):
    """Stateless, as every game."""

    name = "bids"
    title = "Bids"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2, 3)
    max_plies = MOST * 3

    def parse_options(self, raw: Mapping[str, Any]) -> Options:
        """`cards` and nothing else."""
        for name in raw:
            if name != "cards":
                raise OptionError(str(name), "cards, the only option")
        cards = raw.get("cards", DEFAULT_CARDS)
        if type(cards) is not int or not FEWEST <= cards <= MOST:
            raise OptionError("cards", f"a number from {FEWEST} to {MOST}")
        return Options(cards)

    def deal(self, seed: bytes, options: Options, seats: int) -> State:
        """The prizes are shuffled; there is no other chance."""
        prizes = list(range(1, options.cards + 1))
        Stream(seed, "bids/prizes").shuffle(prizes)
        return State(options, seats, (), tuple(prizes))

    def deal_to_plain(self, state: State) -> Plain:
        """The prizes in their order."""
        return {"first": 0, "prizes": list(state.prizes)}

    def deal_from_plain(self, plain: Plain, options: Options, seats: int) -> State:
        """Each prize once."""
        return State(options, seats, (), p.prizes(plain, options))

    def actor(self, state: State) -> int | None:
        """Seat after seat."""
        return state.actor

    def legal_actions(self, state: State) -> list[int]:
        """Any card of the hand."""
        return [] if state.actor is None else state.hand(state.actor)

    def apply(self, state: State, action: int) -> State:
        """One more bid."""
        return State(state.options, state.seats, (*state.plays, action), state.prizes)

    def view(self, state: State, viewer: Viewer) -> View:
        """The bids of this round are seen by those who made them, the next prizes by nobody."""
        seen = _number(viewer, state.seats)
        shown = len(state.shown())
        plays = (
            play if at < shown or seen in (ALL, at % state.seats) else UNSEEN
            for at, play in enumerate(state.plays)
        )
        up = min(state.round + 1, state.options.cards)
        deck = state.prizes[up:] if seen == ALL else ()
        return View(state.options, state.seats, tuple(plays), seen, state.prizes[:up], deck)

    def view_to_plain(self, view: View) -> Plain:
        """Cards as their numbers, an unseen bid as 0."""
        return p.view_to_plain(view)

    def view_from_plain(self, plain: Plain) -> View:
        """Raises RulesError."""
        return p.view_from_plain(plain, self.parse_options)

    def state_to_plain(self, state: State) -> Plain:
        """The deal and what was played since."""
        return {
            "options": state.options.to_plain(),
            "seats": state.seats,
            "deal": self.deal_to_plain(state),
            "plays": [self.notation(action) for action in state.plays],
        }

    def state_from_plain(self, plain: Plain) -> State:
        """Plays everything again, so that the state cannot contradict itself."""
        try:
            options, seats = self.parse_options(plain["options"]), plain["seats"]
            state = self.deal_from_plain(plain["deal"], options, seats)
            actions = [self.parse(text) for text in plain["plays"]]
        except (KeyError, TypeError, AttributeError) as error:
            raise RulesError("a state has options, seats, deal and plays") from error
        for action in actions:
            if action not in self.legal_actions(state):
                raise RulesError(f"ply {len(state.plays)} of the state is not legal")
            state = self.apply(state, action)
        return state

    def determinize(self, view: View, rng: Rng) -> State:
        """Unseen bids from the hands of those who made them, the prizes to come in any order."""
        plays = tuple(
            play if play != UNSEEN else _any(view.hand(at % view.seats), rng)
            for at, play in enumerate(view.plays)
        )
        deck = list(view.deck)
        if view.viewer != ALL:
            deck = sorted(set(range(1, view.options.cards + 1)) - set(view.prizes))
            rng.shuffle(deck)
        return State(view.options, view.seats, plays, (*view.prizes, *deck))

    def result(self, state: State) -> GameResult | None:
        """More points win."""
        if not state.over:
            return None
        won = points(state)
        ranks = tuple(1 + sum(other > mine for other in won) for mine in won)
        return GameResult(ranks, {"points": won})

    def notation(self, action: int) -> str:
        """The card that is bid."""
        if not 0 <= action < MOST:
            raise RulesError(f"bids has no action {action}")
        return f"bid {action + 1}"

    def parse(self, text: str) -> int:
        """The inverse of notation."""
        for action in range(MOST):
            if text == self.notation(action):
                return action
        raise RulesError(f"no action of bids: {text[:20]!r}")

    def event_notation(self, action: int, actor_seat: int, viewer: Viewer, options: Options) -> str:
        """A bid is told to its own seat; the others read it in the view when the round ends."""
        return self.notation(action) if viewer in ("all", actor_seat) else "bid ?"


GAME = Bids()


def _number(viewer: Viewer, seats: int) -> int:
    if viewer == "spectator":
        return SPECTATOR
    if viewer == "all":
        return ALL
    if viewer not in range(seats):
        raise RulesError(f"this match of bids has no seat {viewer}")
    return viewer


def _any(cards: list[int], rng: Rng) -> int:
    return cards[rng.randrange(len(cards))]
