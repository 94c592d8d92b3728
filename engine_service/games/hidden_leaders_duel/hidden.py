"""From a view of Hidden Leaders: Duel to a full match that looks the same.

A draw decides for each hero that left a hand which of those that had entered it was (`story.py`),
and then who the unseen heroes are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine_service.core.errors import RulesError
from engine_service.core.game import Rng
from engine_service.games.hidden_leaders_duel.dealing import dealt
from engine_service.games.hidden_leaders_duel.heroes import (
    FACTIONS,
    NUMBER,
    UNKNOWN,
    back,
    may_be,
    vagueness,
)
from engine_service.games.hidden_leaders_duel.state import (
    ALL,
    HAND,
    PILE_START,
    ROW_START,
    Heroes,
    Leader,
    State,
    View,
)
from engine_service.games.hidden_leaders_duel.story import (
    IMPOSSIBLE,
    Chapter,
    Entry,
    Exit,
    Story,
    Total,
)
from engine_service.games.hidden_leaders_duel.turns import act, history


class Outline(NamedTuple):
    """What all guesses from one view have in common; `places` as `_places` tells them."""

    places: Heroes
    chapters: list[Chapter]


def guess(view: View, rng: Rng) -> State:
    """The match; raises RulesError for a view that no match has."""
    outline = _outline(view)
    places, played = list(outline.places), dict[int, Entry]()
    for chapter in outline.chapters:
        for exit_, entry in chapter.told(rng):
            if entry.place is not None:
                places[entry.place] = min(exit_.hero, entry.hero, key=vagueness)
            if exit_.turn is not None:
                played[exit_.turn] = entry
    return _match(view, _filled(places, view.options.deck, rng), played, rng)


@lru_cache(maxsize=8)  # a search guesses from one view again and again
def _outline(view: View) -> Outline:
    secret = [seat for seat in (0, 1) if view.viewer not in (seat, ALL)]
    places, deck = _places(view), view.options.deck
    spare = _spare(deck, places)
    chapters = _chapters(_story(view, secret, places), deck)
    return Outline(tuple(places), [Chapter(story, spare, total) for story, total in chapters])


def _match(view: View, heroes: Heroes, played: dict[int, Entry], rng: Rng) -> State:
    """The steps of the view once more, with the heroes that were drawn."""
    state = dealt(view.options, heroes, _leaders(view, rng))
    turns = list(view.turns)
    for number, entry in played.items():
        hero = entry.hero if entry.place is None else heroes[entry.place]
        turns[number] = turns[number]._replace(played=hero)
    for action in history(turns):
        state = act(state, action)
    return state


def _places(view: View) -> list[str]:
    """The deal as far as the viewer knows it: a hero, its faction or nothing for each place."""
    row = [slot.hero for slot in view.slots]
    for turn in reversed(view.turns):
        for slot, hero in zip(turn.slots, turn.taken, strict=True):
            row[slot] = hero  # the first that was taken there is the one that was dealt there
    pile = [turn.drawn for turn in view.turns if turn.drawn]
    return [*_dealt_hand(view, 0), *_dealt_hand(view, 1), *row, *pile, *view.pile]


def _dealt_hand(view: View, seat: int) -> list[str]:
    """What the seat holds, and what left its hand, less what came."""
    if view.viewer in (seat, ALL):
        look: Callable[[str], str] = str
    elif view.options.hidden_factions:
        return [UNKNOWN] * HAND
    else:
        look = back
    turns = [turn for turn in view.turns if turn.seat == seat]
    hand = Counter(map(look, view.hands[seat]))
    for turn in turns:
        hand.update(map(look, filter(None, (*turn.returned, turn.played))))
    for turn in turns:
        hand.subtract(map(look, filter(None, (*turn.taken, turn.drawn))))
    if min(hand.values()) < 0 or hand.total() != HAND:
        raise RulesError(IMPOSSIBLE)
    return list(hand.elements())


def _story(view: View, seats: Sequence[int], places: Sequence[str]) -> Story:
    """What entered and left these hands, in order."""
    story: Story = [
        Entry(seat, places[place], place)
        for seat in seats
        for place in range(seat * HAND, (seat + 1) * HAND)
    ]
    for number, turn in enumerate(view.turns):
        seat = turn.seat
        if seat not in seats:
            continue
        for slot, hero, face_up in zip(turn.slots, turn.taken, turn.face_up, strict=True):
            story.append(Entry(seat, hero, None if face_up else ROW_START + slot))
        story += [Exit(seat, hero, None) for hero in turn.returned]
        if turn.played:
            story.append(Exit(seat, turn.played, number))
        if turn.drawn:
            story.append(Entry(seat, turn.drawn, PILE_START + number))
    return story


def _chapters(story: Story, deck: Heroes) -> Iterator[tuple[Story, Total]]:
    """Parts that can be told one by one, and how the ways to tell them add up."""
    if len(set(deck)) < len(deck) or any(event.hero == UNKNOWN for event in story):
        # The factions hang together, and counting all ways would take too long: any will do.
        yield story, any
        return
    for faction in FACTIONS:
        yield [event for event in story if event.hero[0] == faction], sum


def _spare(deck: Heroes, places: Sequence[str]) -> Heroes:
    """Unseen heroes, and a back for each that may still lie where no faction is known."""
    unseen = _unseen(deck, places)
    backs = Counter(map(back, unseen))
    backs.subtract(look for look in places if vagueness(look) == 1)
    if min(backs.values(), default=0) < 0:
        raise RulesError(IMPOSSIBLE)
    return tuple(sorted((*unseen, *backs.elements())))


def _filled(places: Sequence[str], deck: Heroes, rng: Rng) -> Heroes:
    """Unseen heroes shuffled over the places they fit, those of a known faction first."""
    rest = _unseen(deck, places)
    rng.shuffle(rest)
    heroes = list(places)
    for depth in (1, 2):
        for place, look in enumerate(places):
            if vagueness(look) == depth:
                heroes[place] = next(hero for hero in rest if may_be(hero, look))
                rest.remove(heroes[place])
    return tuple(heroes)


def _unseen(deck: Heroes, places: Sequence[str]) -> list[str]:
    unseen = Counter(deck)
    unseen.subtract(look for look in places if look in NUMBER)
    if min(unseen.values()) < 0:
        raise RulesError(IMPOSSIBLE)
    return list(unseen.elements())


def _leaders(view: View, rng: Rng) -> tuple[Leader, Leader]:
    unseen = [leader for leader in view.options.leaders if leader not in view.leaders]
    rng.shuffle(unseen)
    first, second = (leader or unseen.pop() for leader in view.leaders)
    return first, second
