"""Pairing off: everybody with somebody new, the first ones served best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from networkx import Graph, max_weight_matching

Met = Mapping[str, AbstractSet[str]]


def pair_off(order: Sequence[str], met: Met) -> list[tuple[str, str]] | None:
    """The first of the order with the nearest not met, if then all others can still be paired.

    If not, with the next; then so the first that is left, and so on. None: there is no way to pair
    everybody.
    """
    rest, pairs = list(order), []
    if not _all_paired(rest, met):
        return None
    while rest:
        first, *others = rest
        for other in others:
            left = [each for each in others if each != other]
            if other not in met[first] and _all_paired(left, met):
                break
        pairs.append((first, other))
        rest = left
    return pairs


def most_pairs(entrants: Sequence[str], met: Met) -> int:
    """How many pairs that have not met can meet at the same time at most."""
    count = len(entrants)
    # Dirac: where everybody has half of them to meet there is a circle through all.
    if count >= 3 and all(2 * (count - 1 - len(met[each])) >= count for each in entrants):
        return count // 2
    graph: Graph[str] = Graph()
    for i, first in enumerate(entrants):
        graph.add_edges_from((first, other) for other in entrants[:i] if other not in met[first])
    return len(max_weight_matching(graph, maxcardinality=True))


def _all_paired(entrants: Sequence[str], met: Met) -> bool:
    return len(entrants) % 2 == 0 and 2 * most_pairs(entrants, met) == len(entrants)
