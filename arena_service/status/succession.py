"""Processes that were killed and started again: the one that has the place now stands for all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from arena_service.store.tables import Process


@dataclass
class Place:
    """Where one process ran after another: the last one, and how many went before it."""

    process: Process
    restarts: int = 0


def places(processes: Iterable[Process], silent_since: datetime) -> list[Place]:
    """The places of each kind on each host.

    A process has the place of the one that fell silent last before it began; without such a one
    it has a place of its own. Who was seen after `silent_since` gives up its place to nobody.
    """
    found: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for process in sorted(processes, key=lambda each: each.started_at):
        here = found[process.kind, process.host]
        before = min(process.started_at, silent_since)
        left = [place for place in here if place.process.seen_at < before]
        if left:
            place = max(left, key=lambda each: each.process.seen_at)
            place.process, place.restarts = process, place.restarts + 1
        else:
            here.append(Place(process))
    return [place for here in found.values() for place in here]
