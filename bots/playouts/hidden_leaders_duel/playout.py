"""Hidden Leaders: Duel: a quick player that each seat can be, for playouts to the end.

It lays down what brings most, one hero after the other. It takes any heroes before the last two
turns, and then those that it exchanges best, each for itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from heapq import nlargest
from itertools import combinations, permutations
from math import exp, inf
from operator import itemgetter
from random import Random

from bots.judges import Credits
from bots.playouts.hidden_leaders_duel.board import PLACE, Board
from bots.playouts.hidden_leaders_duel.standing import (
    ACROSS,
    OWN,
    Standing,
    brings,
    gain,
    gains,
    laid,
    laid_unseen,
    way_of,
)
from engine_service.games.hidden_leaders_duel.actions import COUNCIL, TAKE_ID, play_id, return_id
from engine_service.games.hidden_leaders_duel.heroes import FACTIONS, ROW_SLOTS, STRENGTH
from engine_service.games.hidden_leaders_duel.state import TURNS

MEANT = 0.5  # strength: how much more an action brings that is much likelier
THOUGHTS = 3  # actions of which any is likely
LATE_TURNS = 2  # of the match, in which it looks where to take

Plays = dict[int, list[float]]  # by way what each hero of the hand brings


def play_out(board: Board, rng: Random) -> Credits:
    """To the end of the match, which the board is at then."""
    draw = rng.random
    while board.turn < TURNS:
        if not board.began:
            board.take(_slots(board, rng))
        seat = board.turn & 1
        hand, seen = board.hands[seat], board.seen[seat]
        for at in tuple(board.vacant):
            worth = lays(board, seen, way_of(seat, at))
            board.return_(hand[worth.index(max(worth))], at)
        hero, way = _best_play(board, seen)
        board.play(hero, COUNCIL if way == COUNCIL else _any_in(board.free, way ^ seat, draw()))
    return board.credits()


def leaning(board: Board) -> dict[int, float]:
    """How likely each of the best actions is, the more it brings; a block in the first free slot.

    Two heroes that are taken or returned are judged each for itself.
    """
    if not board.began:
        worth = _worth_of_takes(board)
    else:
        worth = _worth_of_returns(board) if board.vacant else _worth_of_plays(board)
    best = nlargest(THOUGHTS, worth.items(), key=itemgetter(1))
    weights = {action: exp((worth - best[0][1]) / MEANT) for action, worth in best}
    total = sum(weights.values())
    return {action: weight / total for action, weight in weights.items()}


def _worth_of_takes(board: Board) -> dict[int, float]:
    free, found = board.free, exchanges(board)
    worth = dict(zip(free, found, strict=True))
    if len(free) == 1:
        return {TAKE_ID[free[0],]: found[0]}
    return {TAKE_ID[one, other]: worth[one] + worth[other] for one, other in combinations(free, 2)}


def _worth_of_returns(board: Board) -> dict[int, float]:
    seat, slots = board.turn & 1, tuple(board.vacant)
    hand, seen = board.hands[seat], board.seen[seat]
    by_slot = [lays(board, seen, way_of(seat, at)) for at in slots]
    found = dict[int, float]()
    for chosen in permutations(range(len(hand)), len(slots)):
        action = return_id(tuple(hand[at] for at in chosen), slots)
        found[action] = sum([worth[at] for worth, at in zip(by_slot, chosen, strict=True)])
    return found


def _worth_of_plays(board: Board) -> dict[int, float]:
    seat = board.turn & 1
    found = dict[int, float]()
    for way, by_hero in plays(board, board.seen[seat]).items():
        target = COUNCIL if way == COUNCIL else _any_in(board.free, way ^ seat, 0.0)
        for hero, gained in zip(board.hands[seat], by_hero, strict=True):
            found[play_id(hero, target)] = gained
    return found


def lays(board: Board, seen: Sequence[Standing], way: int) -> list[float]:
    """What each hero of the hand brings in a row, as an observer has seen the factions."""
    turns_left, hand = TURNS - 1 - board.turn, board.hands[board.turn & 1]
    return [gain(seen[PLACE[hero]], way, STRENGTH[hero], turns_left) for hero in hand]


def plays(board: Board, seen: Sequence[Standing]) -> Plays:
    """To the Council, or to block in a row where a hero is free."""
    turns_left, hand = TURNS - 1 - board.turn, board.hands[board.turn & 1]
    found = [gains(seen[PLACE[hero]], STRENGTH[hero], turns_left) for hero in hand]
    own, across, council = map(list, zip(*found, strict=True))
    ways = {way_of(board.turn & 1, at) for at in (board.free[0], board.free[-1])}
    by_way = {OWN: own, ACROSS: across, COUNCIL: council}
    return {way: by_way[way] for way in sorted((COUNCIL, *ways))}


def _best_play(board: Board, seen: Sequence[Standing]) -> tuple[str, int]:
    """The hero and the way that bring most of all `plays`."""
    turns_left, seat = TURNS - 1 - board.turn, board.turn & 1
    rows = board.free[0] // ROW_SLOTS, board.free[-1] // ROW_SLOTS
    own_free, other_free = seat in rows, 1 - seat in rows
    best, most = ("", COUNCIL), -inf
    for hero in board.hands[seat]:
        own, across, council = gains(seen[PLACE[hero]], STRENGTH[hero], turns_left)
        if across > most and other_free:
            best, most = (hero, ACROSS), across
        if own > most and own_free:
            best, most = (hero, OWN), own
        if council > most:
            best, most = (hero, COUNCIL), council
    return best


def exchanges(board: Board) -> list[float]:
    """By free slot: what it brings to take the hero there and to return the best to it."""
    seat = board.turn & 1
    seen, turns_left, hand = board.seen[seat], TURNS - 1 - board.turn, board.hands[seat]
    now = [brings(standing, turns_left) for standing in seen]
    others = [_best_of_others(hand, lays(board, seen, way)) for way in (OWN, ACROSS)]
    found = list[float]()
    for at in board.free:
        taken, way = board.heroes[at], int(at // ROW_SLOTS != seat)
        place = PLACE[taken]
        if board.face_up[at]:
            strength: float = STRENGTH[taken]
            left = laid(seen[place], way, strength, -1)
        else:
            strength = seen[place][-1].mean
            left = laid_unseen(seen[place], way, -1)
        best = max(others[way][place], gain(left, way, strength, turns_left))
        for hero in hand:
            if PLACE[hero] == place:
                best = max(best, gain(left, way, STRENGTH[hero], turns_left))
        found.append(best + brings(left, turns_left) - now[place])
    return found


def _best_of_others(hand: Sequence[str], gains: Sequence[float]) -> list[float]:
    """By faction the most that a hero of another one brings."""
    found = [-inf] * len(FACTIONS)
    for hero, gained in zip(hand, gains, strict=True):
        for place in range(len(FACTIONS)):
            if gained > found[place] and place != PLACE[hero]:
                found[place] = gained
    return found


def _slots(board: Board, rng: Random) -> Sequence[int]:
    """Any, but the most promising ones in the last turns."""
    free = board.free
    if TURNS - board.turn > LATE_TURNS:
        return _any_slots(free, rng)
    worth = dict(zip(free, exchanges(board), strict=True))
    return sorted(nlargest(2, free, key=worth.__getitem__))


def _any_in(free: Sequence[int], row: int, drawn: float) -> int:
    """A slot of that row."""
    split = bisect_left(free, ROW_SLOTS)
    number = len(free) - split if row else split
    return free[row * split + int(drawn * number)]


def _any_slots(free: Sequence[int], rng: Random) -> Sequence[int]:
    """Two free ones, or the last."""
    if len(free) == 1:
        return tuple(free)
    one, other = int(rng.random() * len(free)), int(rng.random() * (len(free) - 1))
    return free[one], free[other + (other >= one)]
