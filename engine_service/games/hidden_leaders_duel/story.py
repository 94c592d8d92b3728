"""The story of hands: what entered and what left as a viewer saw it, and who that may have been."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from engine_service.core.errors import RulesError
from engine_service.core.game import Rng
from engine_service.games.hidden_leaders_duel.heroes import (
    NUMBER,
    UNKNOWN,
    back,
    may_be,
    vagueness,
)
from engine_service.games.hidden_leaders_duel.state import Heroes

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


def _fitting(leaving: Exit, held: Held) -> list[str]:
    """What it may have looked like when it came, each look once."""
    looks = dict.fromkeys(look for seat, look in held if seat == leaving.seat)
    return [look for look in looks if may_be(look, leaving.hero)]


def _cost(entered: str, left: str) -> Heroes:
    """What of the spare is used up by one that entered unseen and left with a clearer look."""
    if vagueness(entered) <= vagueness(left):
        return ()
    backs = (back(left),) if entered == UNKNOWN else ()
    return (*backs, left) if left in NUMBER else backs


def _less(heroes: Heroes, gone: Heroes) -> Heroes | None:
    """Sorted heroes without some; None where one is lacking."""
    for hero in gone:
        if hero not in heroes:
            return None
        at = heroes.index(hero)
        heroes = heroes[:at] + heroes[at + 1 :]
    return heroes


def _draw(items: Sequence[str], weights: Sequence[int], rng: Rng) -> str:
    if not any(weights):
        raise RulesError(IMPOSSIBLE)
    ticket = rng.randrange(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return item
    raise AssertionError("the ticket is below the sum")
