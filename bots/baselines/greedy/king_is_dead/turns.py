"""What can become of a turn, and which is best.

A turn is a card, its effect and a summons. All effects are judged before the summons; only for the
most promising of them every summons is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine_service.games.king_is_dead.actions import PASS
from engine_service.games.king_is_dead.state import EFFECT, SUMMON, Table
from engine_service.games.king_is_dead.turns import play, possible

from .worth import Judge

WIDTH = 24  # effects whose summonses are tried

Decision = tuple[int, float]  # an action and what it is worth


def decide(table: Table, legal: Sequence[int], judge: Judge) -> Decision:
    """The best action of the seat to decide, and its worth; of equal ones the first."""
    drafts = [
        (judge.worth(after), action, after)
        for action in legal
        if action != PASS
        for after in carried_out(play(table, action))
    ]
    drafts.sort(key=lambda draft: -draft[0])
    best: dict[int, float] = {}
    for _, action, draft in drafts[:WIDTH]:
        value = max(map(judge.worth, summoned(draft)))
        best[action] = max(value, best.get(action, 0.0))
    if PASS in legal:
        best[PASS] = passing(table, judge)
    action = max(sorted(best), key=best.__getitem__)
    return action, best[action]


def carried_out(table: Table) -> Iterator[Table]:
    """All tables on which the card is carried out, the summons yet to come."""
    if table.stage != EFFECT:
        yield table
        return
    for action in possible(table):
        yield from carried_out(play(table, action))


def summoned(table: Table) -> list[Table]:
    """The table after each summons; as it is when there is none."""
    if table.stage != SUMMON:
        return [table]
    return [play(table, action) for action in possible(table)]


def passing(table: Table, judge: Judge) -> float:
    """What a pass is worth: a struggle if all others pass too, which is certain without cards."""
    now = play(table, PASS)
    struggled = now
    rivals = 0
    while struggled.passes:
        rivals += judge.cards(struggled, struggled.seat) > 0
        struggled = play(struggled, PASS)
    chance = 0.5 if rivals else 1.0
    return chance * judge.worth(struggled) + (1 - chance) * judge.worth(now)
