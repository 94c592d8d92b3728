"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Each iteration draws a determinization, walks down the tree among what is legal in it, adds a node,
and asks what the state there promises. Every seat has its own place in the tree, by the actions as
it was told of them, and wants its own credit: with open moves all are at the same node (single
observer), behind a hidden one they part (multiple observers). A forced ply is nobody's choice: the
walk goes on behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from bots.judges import Credits
from bots.search.decision import Decision, Finding
from bots.search.hopes import Judged, Worded
from bots.search.notation import Notation
from bots.search.tree import Node

WORLDS = 8  # in which a judge looks at all actions of the decision, iteration by iteration
LOOKS = 500  # or fewer, with about so many looks


class Step(NamedTuple):
    """On the way down `seat` went from `parent` by `action` to `child`."""

    parent: Node
    child: Node
    seat: int
    action: int


def ismcts(decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
    """The most visited action, of equals the one that brought more."""
    notation = Notation(decision.game, decision.options, len(decision.teams))
    judged, worlds = Judged(), LOOKS // len(decision.actions) + 1
    root = Node(judged if decision.judge else Worded(notation))
    iterations, promised = 0, 0.0
    for _ in budget:
        world = decision.world(rng)
        par = decision.par(world)
        if decision.judge and iterations < min(worlds, WORLDS):
            judged.weigh(_gains(decision, world, par, rng))
        _iterate(decision, root, notation, world, par, rng)
        promised += par[decision.seat]
        iterations += 1
    best = root.best(decision.actions)
    gain = root.children[best].total / root.children[best].visits
    return Finding(best, promised / iterations + gain, iterations)


def _gains(decision: Decision, world: Any, par: Credits, rng: Random) -> dict[int, float]:
    """What each action is judged to gain in one world."""
    apply, seat = decision.game.apply, decision.seat
    return {
        action: decision.promise(apply(world, action), rng)[seat] - par[seat]
        for action in decision.actions
    }


def _iterate(
    decision: Decision, root: Node, notation: Notation, world: Any, par: Credits, rng: Random
) -> None:
    state, steps = _descend(decision, root, notation, world, par, rng)
    credits = decision.promise(state, rng)
    for parent, child, seat, action in steps:
        gain = credits[seat] - par[seat]
        child.visits += 1
        child.total += gain
        parent.learn(action, gain)


def _descend(
    decision: Decision, root: Node, notation: Notation, state: Any, par: Credits, rng: Random
) -> tuple[Any, list[Step]]:
    """The state behind a new node, or at the end, and how it was reached."""
    game = decision.game
    places, steps = [root] * len(decision.teams), list[Step]()
    while legal := game.legal_actions(state):
        seat = game.actor(state)
        assert seat is not None, "while somebody may act the game goes on"
        parent = places[seat]

        def ahead(action: int, state: Any = state, seat: int = seat) -> float:
            return decision.promise(game.apply(state, action), rng)[seat] - par[seat]

        action = parent.choose(legal, ahead, rng)
        keys = notation.keys(action, seat)
        places = [place.child(key) for place, key in zip(places, keys, strict=True)]
        state = game.apply(state, action)
        steps.append(Step(parent, places[seat], seat, action))
        if len(legal) > 1 and not places[seat].visits:
            break
    return state, steps
