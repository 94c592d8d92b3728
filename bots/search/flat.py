"""Flat Monte Carlo: every action is tried equally often, and the best mean is played."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bots.search.decision import Decision, Finding


def flat_monte_carlo(decision: Decision, budget: Iterable[int], rng: Random) -> Finding:
    """One random playout an iteration; each round of all actions shares one determinization."""
    order = list(decision.actions)
    rng.shuffle(order)
    totals, visits = dict.fromkeys(order, 0.0), dict.fromkeys(order, 0)
    world = None
    for number in budget:
        at = number % len(order)
        if at == 0:
            world = decision.world(rng)
        action = order[at]
        state = decision.game.apply(world, action)
        totals[action] += decision.play_out(state, rng)[decision.seat]
        visits[action] += 1
    means = {action: totals[action] / count for action, count in visits.items() if count}
    best = max(means, key=means.__getitem__)
    return Finding(best, means[best], sum(visits.values()))
