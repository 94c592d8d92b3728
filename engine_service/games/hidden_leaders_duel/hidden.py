"""From a view of Hidden Leaders: Duel to a full match that looks the same.

The story of a hand is what entered it and what left it, as the viewer saw it. A draw decides for
each that left which of those that had entered it was, and then who the unseen heroes are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
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

IMPOSSIBLE = "no match has this view"


class Entry(NamedTuple):
    """A hero that came to a hand; `place` in the deal, None for one that lay face up."""

    seat: int
    hero: str
    place: int | None


class Exit(NamedTuple):
    """A hero that left a hand; `turn` for one that was played."""

    seat: int
    hero: str
    turn: int | None


Story = list[Entry | Exit]
Held = tuple[tuple[int, str], ...]  # heroes in hand: seat and look, sorted
Total = Callable[[Iterable[int]], int]


class Chapter:
    """A part of the story, and in how many ways it can be told from each moment on.

    `spare` are the heroes, sorted, that those that entered unseen can turn out to be. With `sum`
    as total every way to tell the chapter is equally likely, with `any` only possible.
    """

    def __init__(self, story: Story, spare: Heroes, total: Total) -> None:
        """Nothing is counted yet."""
        self._story = story
        self._spare = spare
        self._total = total
        self._known: dict[tuple[int, Held, Heroes], int] = {}

    def told(self, rng: Rng) -> Iterator[tuple[Exit, Entry]]:
        """Each hero that left, with the entry it is drawn to be."""
        held, spare = list[Entry](), self._spare
        for at, event in enumerate(self._story):
            if isinstance(event, Entry):
                held.append(event)
                continue
            tokens = tuple(sorted(entry[:2] for entry in held))
            looks = _fitting(event, tokens)
            weights = [self._branch(at, event, tokens, spare, look) for look in looks]
            look = _draw(looks, weights, rng)
            rest = _less(spare, _cost(look, event.hero))
            assert rest is not None, "a branch with ways can pay"
            spare = rest
            alike = [entry for entry in held if entry[:2] == (event.seat, look)]
            entry = alike[rng.randrange(len(alike))]
            held.remove(entry)
            yield event, entry

    def _ways(self, at: int, held: Held, spare: Heroes) -> int:
        """How the rest of the chapter can be told."""
        if at == len(self._story):
            return 1
        known = self._known.get((at, held, spare))
        if known is None:
            known = self._known[at, held, spare] = self._count(at, held, spare)
        return known

    def _count(self, at: int, held: Held, spare: Heroes) -> int:
        event = self._story[at]
        if isinstance(event, Entry):
            return self._ways(at + 1, tuple(sorted((*held, event[:2]))), spare)
        looks = _fitting(event, held)
        return self._total(self._branch(at, event, held, spare, look) for look in looks)

    def _branch(self, at: int, event: Exit, held: Held, spare: Heroes, look: str) -> int:
        rest = _less(spare, _cost(look, event.hero))
        if rest is None:
            return 0
        token = (event.seat, look)
        gone = held.index(token)
        return held.count(token) * self._ways(at + 1, held[:gone] + held[gone + 1 :], rest)


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
                places[entry.place] = min(exit_.hero, entry.hero, key=_vagueness)
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
        look = _back
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
    backs = Counter(map(_back, unseen))
    backs.subtract(look for look in places if _vagueness(look) == 1)
    if min(backs.values(), default=0) < 0:
        raise RulesError(IMPOSSIBLE)
    return tuple(sorted((*unseen, *backs.elements())))


def _fitting(leaving: Exit, held: Held) -> list[str]:
    """What it may have looked like when it came, each look once."""
    looks = dict.fromkeys(look for seat, look in held if seat == leaving.seat)
    return [look for look in looks if _may_be(look, leaving.hero)]


def _cost(entered: str, left: str) -> Heroes:
    """What of the spare is used up by one that entered unseen and left with a clearer look."""
    if _vagueness(entered) <= _vagueness(left):
        return ()
    backs = (_back(left),) if entered == UNKNOWN else ()
    return (*backs, left) if left in NUMBER else backs


def _less(heroes: Heroes, gone: Heroes) -> Heroes | None:
    """Sorted heroes without some; None where one is lacking."""
    for hero in gone:
        if hero not in heroes:
            return None
        at = heroes.index(hero)
        heroes = heroes[:at] + heroes[at + 1 :]
    return heroes


@cache
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
        raise RulesError(IMPOSSIBLE)
    ticket = rng.randrange(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return item
    raise AssertionError("the ticket is below the sum")


def _filled(places: Sequence[str], deck: Heroes, rng: Rng) -> Heroes:
    """Unseen heroes shuffled over the places they fit, those of a known faction first."""
    rest = _unseen(deck, places)
    rng.shuffle(rest)
    heroes = list(places)
    for vagueness in (1, 2):
        for place, look in enumerate(places):
            if _vagueness(look) == vagueness:
                heroes[place] = next(hero for hero in rest if _may_be(hero, look))
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
