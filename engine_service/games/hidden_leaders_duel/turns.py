"""The three steps of a turn: what each may be, and what it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, permutations

from engine_service.games.hidden_leaders_duel.actions import (
    COUNCIL,
    TAKE_ID,
    Play,
    Return,
    Take,
    first_return,
    play_id,
    return_offset,
)
from engine_service.games.hidden_leaders_duel.heroes import NO_HERO, ordered
from engine_service.games.hidden_leaders_duel.state import BySeat, Heroes, Slot, State, Turn

TAKEN = 2  # heroes that a turn takes and returns, where so many are free
VACANT = Slot(NO_HERO)


def free_slots(state: State) -> list[int]:
    """Where a hero lies that is not blocked: it can be taken, or blocked."""
    return [number for number, slot in enumerate(state.slots) if slot.hero and not slot.blocker]


def takes(state: State) -> list[int]:
    """Any two free heroes; the last one alone."""
    return list(_takes(tuple(free_slots(state))))


@cache
def _takes(free: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(TAKE_ID[slots] for slots in combinations(free, min(TAKEN, len(free))))


def returns(state: State) -> list[int]:
    """Any hero of the hand into each of the slots just vacated."""
    slots = state.turns[-1].slots
    offset = return_offset(slots)
    return [first + offset for first in _first_returns(state.hands[state.seat], len(slots))]


@lru_cache(maxsize=1 << 14)
def _first_returns(hand: Heroes, number: int) -> tuple[int, ...]:
    return tuple(sorted(map(first_return, set(permutations(hand, number)))))


def plays(state: State) -> list[int]:
    """Any hero of the hand to the Council, or on any free hero to block it."""
    targets = (COUNCIL, *free_slots(state))
    to_council = [play_id(hero, COUNCIL) for hero in dict.fromkeys(state.hands[state.seat])]
    return [first + target - COUNCIL for first in to_council for target in targets]


def act(state: State, action: Take | Return | Play) -> State:
    """The state after a step of the turn."""
    if isinstance(action, Take):
        return _take(state, action)
    return _return(state, action) if isinstance(action, Return) else _play(state, action)


def history(turns: Iterable[Turn]) -> Iterator[Take | Return | Play]:
    """What was done, in order."""
    for turn in turns:
        yield Take(turn.slots)
        if turn.returned:
            yield Return(turn.returned, turn.slots)
        if turn.played:
            yield Play(turn.played, turn.target)


def _take(state: State, action: Take) -> State:
    """The heroes go to the hand."""
    lying = [state.slots[slot] for slot in action.slots]
    taken = tuple(slot.hero for slot in lying)
    face_up = tuple(slot.face_up for slot in lying)
    slots = _laid(state.slots, dict.fromkeys(action.slots, VACANT))
    hands = _with(state.hands, state.seat, taken)
    turn = Turn(state.seat, action.slots, taken, face_up)
    return _next(state, slots, hands, state.councils, (*state.turns, turn))


def _return(state: State, action: Return) -> State:
    """Heroes of the hand lie face up in the vacated slots."""
    laid = [Slot(hero, face_up=True) for hero in action.heroes]
    slots = _laid(state.slots, dict(zip(action.slots, laid, strict=True)))
    hands = _without(state.hands, state.seat, action.heroes)
    turn = state.turns[-1]._replace(returned=action.heroes)
    return _next(state, slots, hands, state.councils, (*state.turns[:-1], turn))


def _play(state: State, action: Play) -> State:
    """Face down to the Council or on a slot; then the top of the pile goes to the hand."""
    seat, hero, target = state.seat, action.hero, action.target
    slots, councils = state.slots, state.councils
    if target == COUNCIL:
        councils = _with(councils, seat, (hero,))
    else:
        under = slots[target]
        slots = _laid(slots, {target: Slot(under.hero, under.face_up, hero, seat)})
    drawn = state.pile[:1]
    hands = _with(_without(state.hands, seat, (hero,)), seat, drawn)
    turn = state.turns[-1]._replace(
        played=hero, target=target, drawn=drawn[0] if drawn else NO_HERO
    )
    return _next(state, slots, hands, councils, (*state.turns[:-1], turn))


def _next(
    state: State,
    slots: tuple[Slot, ...],
    hands: BySeat,
    councils: BySeat,
    turns: tuple[Turn, ...],
) -> State:
    return State(state.options, state.heroes, state.leaders, slots, hands, councils, turns)


def _laid(slots: tuple[Slot, ...], changed: dict[int, Slot]) -> tuple[Slot, ...]:
    laid = list(slots)
    for number, slot in changed.items():
        laid[number] = slot
    return tuple(laid)


def _with(piles: BySeat, seat: int, heroes: Heroes) -> BySeat:
    return _changed(piles, seat, ordered((*piles[seat], *heroes)))


def _without(piles: BySeat, seat: int, heroes: Heroes) -> BySeat:
    left = list(piles[seat])
    for hero in heroes:
        left.remove(hero)
    return _changed(piles, seat, tuple(left))


def _changed(piles: BySeat, seat: int, pile: Heroes) -> BySeat:
    return (piles[0], pile) if seat else (pile, piles[1])
