"""From a view of Claim to a full state that looks the same: a uniform draw over all that fit."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from engine_service.core.game import Rng
from engine_service.games.claim import cards as c
from engine_service.games.claim.state import (
    ALL,
    HAND,
    NO_CARDS,
    TRICKS,
    Options,
    Pair,
    State,
    Trick,
    View,
    phase_plays,
    prizes_won,
)


def guess(view: View, rng: Rng) -> State:
    """The state; hidden cards go only where the viewer cannot rule them out."""
    return _guess_recruiting(view, rng) if view.phase == 1 else _guess_gathering(view, rng)


def _guess_recruiting(view: View, rng: Rng) -> State:
    """Hidden: unseen hands, blind cards and the deck."""
    prizes = prizes_won(view.tricks)
    blinds = [view.followers[seat] - prizes[seat] for seat in range(2)]
    known = [*view.hands, *view.followers, *view.scored, c.collect(view.discarded)]
    known += [c.UNIT[card] for card in (view.prize, view.led) if card >= 0]
    pool = c.members(c.collect(c.DECK) - sum(known) - c.collect(view.deck))
    needs = [view.hand_sizes[seat] - c.size(view.hands[seat]) for seat in range(2)]
    drawn, pool = _deal_hands(pool, needs, voids(view.tricks, 1), rng)
    hands = (view.hands[0] + drawn[0], view.hands[1] + drawn[1])
    for seat in range(2):
        taken, pool = _take(pool, view.blind_counts[seat])
        blinds[seat] += c.collect(taken)
    deck = _deck(view, blinds, rng) + list(view.deck or pool)
    followers = (prizes[0] + blinds[0], prizes[1] + blinds[1])
    played = phase_plays(view.tricks, view.led, view.leader, 1)
    return _state(
        view,
        (played[0] + c.members(hands[0]), played[1] + c.members(hands[1])),
        deck,
        hands,
        followers,
    )


def _guess_gathering(view: View, rng: Rng) -> State:
    """Hidden: unseen hands, and which blind card came when."""
    prizes = prizes_won(view.tricks)
    played = phase_plays(view.tricks, view.led, view.leader, 2)
    spent = [c.collect(plays) for plays in played]
    certain = [view.hands[s] or c.less(prizes[s], spent[s]) for s in range(2)]
    known = [*view.scored, c.collect(view.discarded), *certain]
    known += [c.UNIT[view.led]] if view.led >= 0 else []
    pool = c.members(c.collect(c.DECK) - sum(known))
    needs = [view.hand_sizes[seat] - c.size(certain[seat]) for seat in range(2)]
    drawn, _ = _deal_hands(pool, needs, voids(view.tricks, 2), rng)
    hands = (certain[0] + drawn[0], certain[1] + drawn[1])
    blinds = [hands[seat] + spent[seat] - prizes[seat] for seat in range(2)]
    recruited = phase_plays(view.tricks, view.led, view.leader, 1)
    return _state(view, (recruited[0], recruited[1]), _deck(view, blinds, rng), hands, NO_CARDS)


def voids(tricks: Sequence[Trick], phase: int) -> Pair:
    """By seat: the cards it cannot hold, having answered off the led faction in this phase."""
    none = [0, 0]
    for trick in tricks:
        led, reply = (c.FACTION[card] for card in trick.cards)
        if trick.phase == phase and reply not in (led, c.DOPPELGANGER):
            none[1 - trick.leader] |= c.SUITS[led]
    return none[0], none[1]


def _deal_hands(
    pool: list[int], needs: Sequence[int], void: Pair, rng: Rng
) -> tuple[list[int], list[int]]:
    """Draw both hands from the sorted pool, every fitting draw equally likely; what is left too."""
    groups: list[list[int]] = [[], [], [], []]  # cards for: no hand, hand 0, hand 1, either
    for card in pool:
        groups[(not c.UNIT[card] & void[0]) + 2 * (not c.UNIT[card] & void[1])].append(card)
    for group in groups:
        rng.shuffle(group)
    neither, first, second, either = groups
    own = _shares(needs, (len(first), len(second), len(either)), rng)
    hands = []
    for group, need, share in ((first, needs[0], own[0]), (second, needs[1], own[1])):
        mine, group[:] = _take(group, share)
        shared, either = _take(either, need - share)
        hands.append(c.collect(mine + shared))
    left = neither + first + second + either
    rng.shuffle(left)
    return hands, left


def _shares(needs: Sequence[int], sizes: tuple[int, int, int], rng: Rng) -> tuple[int, int]:
    """How many cards each hand takes of those that only it can hold, by the number of ways."""
    first, second, either = sizes
    ways = {
        (mine, yours): comb(first, mine)
        * comb(second, yours)
        * comb(either, needs[0] - mine)
        * comb(either - needs[0] + mine, needs[1] - yours)
        for mine in range(min(first, needs[0]) + 1)
        for yours in range(min(second, needs[1]) + 1)
        if needs[0] - mine + needs[1] - yours <= either
    }
    ticket = rng.randrange(sum(ways.values()))
    for shares, count in ways.items():
        ticket -= count
        if ticket < 0:
            return shares
    raise AssertionError("the ticket is below the sum")


def _deck(view: View, blinds: Sequence[int], rng: Rng) -> list[int]:
    """The deck as far as it was drawn: prizes as seen, blind cards shuffled among their owner's."""
    piles = [c.members(pile) for pile in blinds]
    for pile in piles:
        rng.shuffle(pile)
    deck = []
    for trick in view.tricks[:TRICKS]:
        deck += [trick.prize, piles[1 - trick.winner].pop()]
    return [*deck, view.prize] if view.prize >= 0 else deck


def _take(cards: list[int], count: int) -> tuple[list[int], list[int]]:
    return cards[:count], cards[count:]


def _state(
    view: View, dealt: tuple[list[int], list[int]], deck: list[int], hands: Pair, followers: Pair
) -> State:
    assert len(dealt[0]) == len(dealt[1]) == HAND
    plays = [card for trick in view.tricks for card in trick.cards]
    plays += [view.led] if view.led >= 0 else []
    leaders = (*(trick.leader for trick in view.tricks), view.leader)
    peek = view.viewer != ALL and _has_peeked(view)
    cards = (*dealt[0], *dealt[1], *deck)
    return State(Options(peek), cards, hands, followers, view.scored, tuple(plays), leaders)


def _has_peeked(view: View) -> bool:
    """Whether the viewer knows a blind card of its own."""
    lost = [sum(trick.winner != seat for trick in view.tricks) for seat in range(2)]
    return view.phase == 1 and any(lost[s] > view.blind_counts[s] for s in range(2))
