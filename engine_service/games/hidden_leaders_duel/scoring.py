"""Who gets the heroes of the rows, faction by faction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine_service.core.game import GameResult
from engine_service.games.hidden_leaders_duel.heroes import (
    FACTIONS,
    NO_HERO,
    ROW_SLOTS,
    STRENGTH,
    ordered,
)
from engine_service.games.hidden_leaders_duel.state import BySeat, Heroes, Leader, Slot


@dataclass(frozen=True, slots=True)
class Outcome:
    """By seat its army; what nobody may keep is discarded. All in canonical order."""

    armies: BySeat
    discarded: Heroes


def rows(slots: Sequence[Slot]) -> BySeat:
    """All heroes that lie in each row: free, blocked and blocking."""
    both = (slots[:ROW_SLOTS], slots[ROW_SLOTS:])
    first, second = (
        tuple(hero for slot in row for hero in (slot.hero, slot.blocker) if hero != NO_HERO)
        for row in both
    )
    return first, second


def share_out(rows: BySeat, councils: BySeat, leaders: Sequence[Leader]) -> Outcome:
    """The armies, and what is lost for want of presence."""
    armies: tuple[list[str], list[str]] = ([], [])
    discarded: list[str] = []
    for faction in FACTIONS:
        lying = [[hero for hero in row if hero[0] == faction] for row in rows]
        row_of = _rows_given(lying, [_influence(faction, councils[s], leaders[s]) for s in (0, 1)])
        for seat in (0, 1):
            keeps = _is_present(faction, councils[seat], leaders[seat])
            (armies[seat] if keeps else discarded).extend(lying[row_of[seat]])
    return Outcome((ordered(armies[0]), ordered(armies[1])), ordered(discarded))


def judge(outcome: Outcome) -> GameResult:
    """The stronger army wins, of equal ones the larger; then it is a draw."""
    strength = [sum(map(STRENGTH.__getitem__, army)) for army in outcome.armies]
    heroes = [len(army) for army in outcome.armies]
    first, second = zip(strength, heroes, strict=True)
    score = {"strength": strength, "heroes": heroes, "discarded": len(outcome.discarded)}
    return GameResult((1 + (first < second), 1 + (second < first)), score)


def _rows_given(lying: Sequence[Sequence[str]], influence: Sequence[int]) -> tuple[int, int]:
    """The row that each seat is given: its own in a tie, else more influence takes more heroes."""
    counts = [len(row) for row in lying]
    if influence[0] == influence[1] or counts[0] == counts[1]:
        return 0, 1
    leads, larger = int(influence[0] < influence[1]), int(counts[0] < counts[1])
    return (0, 1) if leads == larger else (1, 0)


def _influence(faction: str, council: Heroes, leader: Leader) -> int:
    """Of the Council alone: its heroes, and the leader where it belongs."""
    own = leader.value if faction in leader.factions else 0
    return own + sum(STRENGTH[hero] for hero in council if hero[0] == faction)


def _is_present(faction: str, council: Heroes, leader: Leader) -> bool:
    """By a hero or the leader, whatever they are worth."""
    return faction in leader.factions or any(hero[0] == faction for hero in council)
