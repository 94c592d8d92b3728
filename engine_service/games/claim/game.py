"""Claim: win followers in 13 tricks, then votes with them in 13 more. Action id = distinct card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine_service.core.errors import OptionError, RulesError
from engine_service.core.game import Game, GameResult, Plain, Rng, Viewer
from engine_service.core.seeds import Stream
from engine_service.games.claim import cards as c
from engine_service.games.claim import plain as p
from engine_service.games.claim.hidden import guess
from engine_service.games.claim.state import (
    ALL,
    DECK_START,
    HAND,
    NO_CARDS,
    PHASE_PLIES,
    PLIES,
    SPECTATOR,
    TRICKS,
    Options,
    Pair,
    State,
    Trick,
    View,
    prizes_won,
)


class Claim(Game):
    """The rules; see docs/games/claim.md for the rulings."""

    name = "claim"
    title = "Claim"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2,)
    max_plies = PLIES

    def parse_options(self, raw: Mapping[str, Any]) -> Options:
        """`blind_peek` and nothing else."""
        if not isinstance(raw, Mapping):
            raise OptionError("options", "an object")
        for key in raw:
            if key != "blind_peek":
                raise OptionError(str(key), "blind_peek, the only option")
        peek = raw.get("blind_peek", False)
        if not isinstance(peek, bool):
            raise OptionError("blind_peek", "true or false")
        return Options(peek)

    def deal(self, seed: bytes, options: Options, seats: int) -> State:
        """Shuffle once, deal from the front."""
        cards = list(c.DECK)
        Stream(seed, "claim/deck").shuffle(cards)
        return dealt(options, tuple(cards))

    def deal_to_plain(self, state: State) -> Plain:
        """Hands and deck in the order dealt."""
        return p.deal_to_plain(state)

    def deal_from_plain(self, plain: Plain, options: Options, seats: int) -> State:
        """Exactly the 52 cards, 13 to each hand."""
        return dealt(options, p.deal_cards(plain))

    def actor(self, state: State) -> int | None:
        """The leader of the trick, then the other."""
        plays = len(state.plays)
        return None if plays == PLIES else state.leaders[-1] ^ (plays & 1)

    def legal_actions(self, state: State) -> list[int]:
        """Who holds the led faction follows it or plays a Doppelganger; who does not is free."""
        odd = len(state.plays) & 1
        hand = state.hands[state.leaders[-1] ^ odd]
        if odd:
            suit = c.SUITS[c.FACTION[state.plays[-1]]]
            if hand & suit:
                hand &= suit | c.SUITS[c.DOPPELGANGER]
        return c.distinct(hand)

    def apply(self, state: State, action: int) -> State:
        """Take the card from the hand; the second card of a trick closes it."""
        plays = (*state.plays, action)
        leader = state.leaders[-1]
        if len(plays) & 1:
            hands = _with(state.hands, leader, -c.UNIT[action])
            return State(
                state.options,
                state.cards,
                hands,
                state.followers,
                state.scored,
                plays,
                state.leaders,
            )
        hands = _with(state.hands, 1 - leader, -c.UNIT[action])
        led = plays[-2]
        winner = 1 - leader if c.ANSWER_WINS[led][action] else leader
        close = _recruit if len(plays) <= PHASE_PLIES else _gather
        return close(state, plays, hands, winner, c.UNIT[led] + c.UNIT[action])

    def view(self, state: State, viewer: Viewer) -> View:
        """Built from what is public, plus the viewer's own cards."""
        seen = _viewer_number(viewer)
        played = len(state.plays)
        over, recruiting = played == PLIES, played < PHASE_PLIES
        trick = min(played // 2, 2 * TRICKS - 1)
        tricks = closed_tricks(state)
        drawn = DECK_START + 2 * trick + 1  # of phase 1: the cards up to the prize
        followers, blinds = _followers_seen(state, tricks, seen)
        actor = self.actor(state)
        return View(
            viewer=seen,
            phase=1 if recruiting else 2,
            trick=trick % TRICKS,
            leader=state.leaders[-1],
            actor=-1 if actor is None else actor,
            prize=state.cards[drawn - 1] if recruiting else -1,
            led=state.plays[-1] if played & 1 and not over else -1,
            hands=_seen_by(state.hands, seen),
            hand_sizes=(c.size(state.hands[0]), c.size(state.hands[1])),
            deck_size=len(state.cards) - drawn if recruiting else 0,
            deck=state.cards[drawn:] if recruiting and seen == ALL else (),
            followers=followers,
            blind_counts=blinds,
            scored=state.scored,
            discarded=_discarded(tricks),
            tricks=tricks,
            votes=c.votes(state.scored),
        )

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
            raw, deal, plays = plain["options"], plain["deal"], c.card_ids(plain["plays"])
        except (KeyError, TypeError) as error:
            raise RulesError("a state has options, deal and plays") from error
        state = dealt(self.parse_options(raw), p.deal_cards(deal))
        for ply, action in enumerate(plays):
            if action not in self.legal_actions(state):
                raise RulesError(f"ply {ply} of the state is not legal")
            state = self.apply(state, action)
        return state

    def determinize(self, view: View, rng: Rng) -> State:
        """Every deal that fits the view is equally likely."""
        return guess(view, rng)

    def result(self, state: State) -> GameResult | None:
        """More votes win; equal votes are a draw."""
        if len(state.plays) < PLIES:
            return None
        won = c.votes(state.scored)
        votes = [won.count(0), won.count(1)]
        cards = {
            name: [c.size(pile & suit) for pile in state.scored]
            for name, suit in zip(c.FACTIONS, c.SUITS, strict=True)
        }
        ranks = (1 + (votes[0] < votes[1]), 1 + (votes[1] < votes[0]))
        return GameResult(ranks, {"votes": votes, "cards": cards})

    def notation(self, action: int) -> str:
        """The card."""
        if not 0 <= action < len(c.NAMES):
            raise RulesError(f"claim has no action {action}")
        return c.NAMES[action]

    def parse(self, text: str) -> int:
        """The card."""
        return c.card_id(text)

    def event_notation(self, action: int, actor_seat: int, viewer: Viewer, options: Options) -> str:
        """Cards are played face up."""
        return c.NAMES[action]


GAME = Claim()


def dealt(options: Options, cards: tuple[int, ...]) -> State:
    """The state at ply 0 of 52 cards in the order dealt."""
    hands = (c.collect(cards[:HAND]), c.collect(cards[HAND:DECK_START]))
    return State(options, cards, hands, NO_CARDS, NO_CARDS, (), (0,))


def closed_tricks(state: State) -> tuple[Trick, ...]:
    """All closed tricks; everything in them was public."""
    plays, leaders = state.plays, state.leaders
    return tuple(
        Trick(
            phase=1 if index < TRICKS else 2,
            leader=leaders[index],
            cards=(plays[2 * index], plays[2 * index + 1]),
            winner=leaders[index + 1],
            prize=state.cards[DECK_START + 2 * index] if index < TRICKS else -1,
        )
        for index in range(len(plays) // 2)
    )


def _recruit(state: State, plays: tuple[int, ...], hands: Pair, winner: int, trick: int) -> State:
    """Prize to the winner, blind card to the loser, Undead scored; then followers become hands."""
    at = DECK_START + len(plays) - 2
    prize, blind = c.UNIT[state.cards[at]], c.UNIT[state.cards[at + 1]]
    followers = _with(_with(state.followers, winner, prize), 1 - winner, blind)
    scored = _with(state.scored, winner, trick & c.SUITS[c.UNDEAD])
    if len(plays) == PHASE_PLIES:
        hands, followers = followers, NO_CARDS
    leaders = (*state.leaders, winner)
    return State(state.options, state.cards, hands, followers, scored, plays, leaders)


def _gather(state: State, plays: tuple[int, ...], hands: Pair, winner: int, trick: int) -> State:
    """Dwarves to the loser, the rest to the winner."""
    dwarves = trick & c.SUITS[c.DWARF]
    scored = _with(_with(state.scored, winner, trick - dwarves), 1 - winner, dwarves)
    leaders = (*state.leaders, winner)
    return State(state.options, state.cards, hands, NO_CARDS, scored, plays, leaders)


def _with(piles: Pair, seat: int, cards: int) -> Pair:
    first, second = piles
    return (first, second + cards) if seat else (first + cards, second)


def _viewer_number(viewer: Viewer) -> int:
    if viewer == "spectator":
        return SPECTATOR
    if viewer == "all":
        return ALL
    if viewer not in (0, 1):
        raise RulesError(f"claim has no seat {viewer}")
    return int(viewer)


def _seen_by(piles: Pair, viewer: int) -> Pair:
    if viewer == ALL:
        return piles
    return (piles[0] if viewer == 0 else 0, piles[1] if viewer == 1 else 0)


def _followers_seen(state: State, tricks: tuple[Trick, ...], viewer: int) -> tuple[Pair, Pair]:
    """The known followers of each seat, and how many more it has: prizes are public."""
    if len(tricks) >= TRICKS:
        return NO_CARDS, NO_CARDS
    known = prizes_won(tricks)
    for seat in range(2):
        if viewer == ALL or (viewer == seat and state.options.blind_peek):
            known[seat] = state.followers[seat]
    first, second = (c.size(state.followers[seat]) - c.size(known[seat]) for seat in range(2))
    return (known[0], known[1]), (first, second)


def _discarded(tricks: tuple[Trick, ...]) -> tuple[int, ...]:
    return tuple(
        card for trick in tricks[:TRICKS] for card in trick.cards if c.FACTION[card] != c.UNDEAD
    )
