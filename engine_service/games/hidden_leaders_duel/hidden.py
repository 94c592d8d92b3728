"""From a view of Hidden Leaders: Duel to a full match that looks the same.

The story of a hand is what entered it and what left it, as the viewer saw it. A draw decides for
each that left which of those that had entered it was, and then who the unseen heroes are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from engine_service.core.errors import RulesError
from engine_service.core.game import Rng
from engine_service.games.hidden_leaders_duel.dealing import dealt
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, NUMBER, UNKNOWN
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
from engine_service.games.hidden_leaders_duel.turns import act, history

ATTEMPTS = 10_000  # one is enough unless factions are hidden or heroes doubled; then a few are


class Entry(NamedTuple):
    """A hero that came to a hand; `place` in the deal, None for one that lay face up."""

    hero: str
    place: int | None


class Exit(NamedTuple):
    """A hero that left; `turn` for one that was played.

    `familiar`: the viewer knows the only hero of that code from before, in this very hand.
    """

    hero: str
    turn: int | None
    familiar: bool


Story = list[Entry | Exit]


def guess(view: View, rng: Rng) -> State:
    """The match; raises RulesError for a view that no match has."""
    for _ in range(ATTEMPTS):
        played: dict[int, Entry] = {}
        places = _places(view)
        for seat in (0, 1):
            for exit_, entry in _exits(_story(view, seat, places), rng):
                if entry.place is not None:
                    places[entry.place] = min(exit_.hero, entry.hero, key=_vagueness)
                if exit_.turn is not None:
                    played[exit_.turn] = entry
        heroes = _filled(places, view.options.deck, rng)
        if heroes is not None:
            return _match(view, heroes, played, rng)
    raise RulesError("no match has this view")


def _match(view: View, heroes: Heroes, played: dict[int, Entry], rng: Rng) -> State:
    """The steps of the view once more, with the heroes that were drawn."""
    state = dealt(view.options, heroes, _leaders(view, rng))
    turns = list(view.turns)
    for number, entry in played.items():
        hero = entry.hero if entry.place is None else heroes[entry.place]
        turns[number] = replace(turns[number], played=hero)
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
        look = _back
    turns = [turn for turn in view.turns if turn.seat == seat]
    hand = Counter(map(look, view.hands[seat]))
    for turn in turns:
        hand.update(map(look, filter(None, (*turn.returned, turn.played))))
    for turn in turns:
        hand.subtract(map(look, filter(None, (*turn.taken, turn.drawn))))
    if min(hand.values()) < 0 or hand.total() != HAND:
        raise RulesError("no match has this view")
    return list(hand.elements())


def _story(view: View, seat: int, places: Sequence[str]) -> Story:
    """What entered and left a hand, in order."""
    story: Story = [Entry(places[place], place) for place in range(seat * HAND, (seat + 1) * HAND)]
    single = {hero for hero, copies in Counter(view.options.deck).items() if copies == 1}
    known: set[str] = set()  # of the single ones

    def left(hero: str, turn: int | None = None) -> Exit:
        return Exit(hero, turn, hero in known)

    for number, turn in enumerate(view.turns):
        if turn.seat != seat:
            continue
        for slot, hero, face_up in zip(turn.slots, turn.taken, turn.face_up, strict=True):
            story.append(Entry(hero, None if face_up else ROW_START + slot))
        known |= single & {entry.hero for entry in story if isinstance(entry, Entry)}
        story += map(left, turn.returned)
        if turn.played:
            story.append(left(turn.played, number))
        if turn.drawn:
            story.append(Entry(turn.drawn, PILE_START + number))
    return story


def _exits(story: Story, rng: Rng) -> Iterator[tuple[Exit, Entry]]:
    """Each hero that left, with the entry it is taken to be."""
    if any(event.hero == UNKNOWN for event in story):
        # Counting all ways would take too long: here it is enough that there is one.
        yield from _drawn(story, any, rng)
        return
    for faction in FACTIONS:
        yield from _drawn([event for event in story if event.hero[0] == faction], sum, rng)


def _drawn(
    story: Story, total: Callable[[Iterable[int]], int], rng: Rng
) -> Iterator[tuple[Exit, Entry]]:
    """Exit by exit; with `sum` as total, every way to tell the story is equally likely."""

    @cache
    def ways(told: int, held: Heroes) -> int:
        """How the rest can be told, from sorted heroes in hand on."""
        if told == len(story):
            return 1
        event = story[told]
        if isinstance(event, Entry):
            return ways(told + 1, tuple(sorted((*held, event.hero))))
        return total(branch(told, held, hero) for hero in _fitting(event, held))

    def branch(told: int, held: Heroes, hero: str) -> int:
        at = held.index(hero)
        return held.count(hero) * ways(told + 1, held[:at] + held[at + 1 :])

    held: list[Entry] = []
    for told, event in enumerate(story):
        if isinstance(event, Entry):
            held.append(event)
            continue
        looks = tuple(sorted(entry.hero for entry in held))
        fitting = _fitting(event, looks)
        hero = _draw(fitting, [branch(told, looks, hero) for hero in fitting], rng)
        alike = [entry for entry in held if entry.hero == hero]
        entry = alike[rng.randrange(len(alike))]
        held.remove(entry)
        yield event, entry


def _fitting(leaving: Exit, held: Heroes) -> list[str]:
    """What it may have been when it came, each look once."""
    if leaving.familiar:
        return [leaving.hero] if leaving.hero in held else []
    return [hero for hero in dict.fromkeys(held) if _may_be(hero, leaving.hero)]


def _may_be(one: str, other: str) -> bool:
    """Whether two looks can be of the same hero."""
    vague, clear = sorted((one, other), key=_vagueness, reverse=True)
    return vague in (clear, _back(clear), UNKNOWN)


def _vagueness(look: str) -> int:
    return 0 if look in NUMBER else 1 + (look == UNKNOWN)


def _back(look: str) -> str:
    return f"{look[0]}?"


def _draw(items: Sequence[str], weights: Sequence[int], rng: Rng) -> str:
    if not any(weights):
        raise RulesError("no match has this view")
    ticket = rng.randrange(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return item
    raise AssertionError("the ticket is below the sum")


def _filled(places: Sequence[str], deck: Heroes, rng: Rng) -> Heroes | None:
    """Unseen heroes shuffled over the places they fit; None where they cannot."""
    unseen = Counter(deck)
    unseen.subtract(look for look in places if look in NUMBER)
    if min(unseen.values()) < 0:
        return None
    rest = list(unseen.elements())
    rng.shuffle(rest)
    heroes = list(places)
    for vagueness in (1, 2):  # those of a known faction first
        for place, look in enumerate(places):
            if _vagueness(look) != vagueness:
                continue
            hero = next((hero for hero in rest if _may_be(hero, look)), None)
            if hero is None:
                return None
            rest.remove(hero)
            heroes[place] = hero
    return tuple(heroes)


def _leaders(view: View, rng: Rng) -> tuple[Leader, Leader]:
    unseen = [leader for leader in view.options.leaders if leader not in view.leaders]
    rng.shuffle(unseen)
    first, second = (leader or unseen.pop() for leader in view.leaders)
    return first, second
