"""Ranks of the rules turned into what a seat is given for a match."""

from __future__ import annotations

from collections.abc import Sequence


def credits_of(ranks: Sequence[int], teams: Sequence[int] | None = None) -> list[float]:
    """Per seat: (opponents ranked worse + half of those ranked equal) / opponents.

    `teams` names the team of every seat: a partner is no opponent.
    """
    sides = list(range(len(ranks))) if teams is None else list(teams)
    credits = []
    for seat, rank in enumerate(ranks):
        rivals = [ranks[i] for i in range(len(ranks)) if sides[i] != sides[seat]]
        points = sum(1.0 if other > rank else 0.5 * (other == rank) for other in rivals)
        credits.append(points / len(rivals))
    return credits
