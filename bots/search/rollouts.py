"""Rollouts of a policy (Tesauro and Galperin 1996), with halving (Karnin, Koren and Somekh 2013).

The actions that look best at first are played out to the end, each in the same worlds: as far as
the tree goes by what was found there, then by a policy that gives every seat what that seat sees.
The worse half is left out, again and again, each time after twice as many worlds, until two remain.
Worlds are drawn by what the policy makes of the past.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bots.playouts import Playouts
from bots.search.decision import Decision, Finding
from bots.search.guided import Tree
from bots.search.notation import Notation

CONTENDERS = 5
FEWEST = 2
FIRST = 16  # worlds before the first contenders are left out


def rollouts(decision: Decision, playouts: Playouts, budget: Iterable[int], rng: Random) -> Finding:
    """One world an iteration, in which every action that remains is played out."""
    contenders = _contenders(decision, playouts)
    draw = playouts.belief(decision.view, decision.seat)
    seats = len(decision.teams)
    tree = Tree(playouts, Notation(decision.game, decision.options, seats), seats)
    totals = dict.fromkeys(contenders, 0.0)
    worlds, halving = 0, FIRST
    for _ in budget:
        world, luck = playouts.board(draw(rng)), rng.random()
        for action in rng.sample(contenders, len(contenders)):  # an order could suit a rival
            totals[action] += tree.walk(world.copy(), action, Random(luck))[decision.seat]
        worlds += 1
        if worlds == halving:
            contenders.sort(key=totals.__getitem__, reverse=True)
            del contenders[max(FEWEST, (len(contenders) + 1) // 2) :]
            halving *= 2
    best = max(contenders, key=totals.__getitem__)
    return Finding(best, totals[best] / worlds, worlds)


def _contenders(decision: Decision, playouts: Playouts) -> list[int]:
    """Those that look best, of such that look the same the first one."""
    seen = playouts.impressions(decision.view, decision.seat, decision.actions)
    seen = [round(worth, 6) for worth in seen]  # sums in another order are alike
    distinct = dict(zip(reversed(seen), reversed(decision.actions), strict=True))
    return [distinct[worth] for worth in sorted(distinct, reverse=True)[:CONTENDERS]]
