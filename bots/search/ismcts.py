"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Each iteration draws a determinization, walks down the tree among what is legal in it, adds a node
and plays out at random. Every seat has its own place in the tree, by what it saw, and wants its own
credit: with open moves all are at the same node (single observer), behind a hidden one they part
(multiple observers). A forced ply is nobody's choice: the walk goes on behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from bots.search.decision import Decision, Finding
from bots.search.notation import Notation
from bots.search.tree import Node


class Step(NamedTuple):
    """On the way down `seat` went from `parent` by `action` to `child`."""

    parent: Node
    child: Node
    seat: int
    action: int


def ismcts(decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
    """The most visited action, of equals the one that brought more."""
    root, iterations = Node(), 0
    notation = Notation(decision.game, decision.options, len(decision.teams))
    for _ in budget:
        _iterate(decision, root, notation, rng)
        iterations += 1
    tried = root.children
    best = max(
        (action for action in decision.actions if action in tried),
        key=lambda action: (tried[action].visits, tried[action].total),
    )
    return Finding(best, tried[best].total / tried[best].visits, iterations)


def _iterate(decision: Decision, root: Node, notation: Notation, rng: Random) -> None:
    state, steps = _descend(decision, root, notation, rng)
    credits = decision.play_out(state, rng)
    for parent, child, seat, action in steps:
        child.visits += 1
        child.total += credits[seat]
        parent.learn(notation.words(action), credits[seat])


def _descend(
    decision: Decision, root: Node, notation: Notation, rng: Random
) -> tuple[Any, list[Step]]:
    """The state behind a new node, or at the end, and how it was reached."""
    game, state = decision.game, decision.world(rng)
    places, steps = [root] * len(decision.teams), list[Step]()
    while legal := game.legal_actions(state):
        seat = game.actor(state)
        assert seat is not None, "while somebody may act the game goes on"
        parent = places[seat]
        action = parent.choose(legal, notation, rng)
        keys = notation.keys(action, seat)
        places = [place.child(key) for place, key in zip(places, keys, strict=True)]
        state = game.apply(state, action)
        steps.append(Step(parent, places[seat], seat, action))
        if len(legal) > 1 and not places[seat].visits:
            break
    return state, steps
