"""What the last ply of Hidden Leaders: Duel touched: boards mark it in gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

View = Mapping[str, Any]


@dataclass(frozen=True)
class Fresh:
    """Slots by what changed there, and heroes that came, as the viewer sees them, with their seat.

    `vacant` slots were emptied, `laid` ones filled, `blocked` is one or none.
    """

    seat: int = -1
    vacant: tuple[int, ...] = ()
    laid: tuple[int, ...] = ()
    blocked: int = -1
    hand: tuple[str, ...] = ()
    council: str = ""


def fresh(view: View, last: Mapping[str, Any] | None) -> Fresh:
    """By the last turn of the view; nothing at the deal."""
    if not last:
        return Fresh()
    turn = view["turns"][-1]
    seat, slots = turn["seat"], tuple(turn["slots"])
    if turn["played"]:
        council = turn["played"] if turn["target"] < 0 else ""
        drawn = (turn["drawn"],) if turn["drawn"] else ()
        return Fresh(seat, blocked=turn["target"], hand=drawn, council=council)
    if turn["returned"]:
        return Fresh(seat, laid=slots)
    return Fresh(seat, vacant=slots, hand=tuple(turn["taken"]))


def places(heroes: Sequence[str], came: Sequence[str]) -> set[int]:
    """Which of the heroes are those that came; of equal ones the first.

    Where they lie hidden, one that was seen coming is a back of its faction, or just a back.
    """
    found: set[int] = set()
    for hero in came:
        for form in (hero, f"{hero[0]}?", "?"):
            at = [i for i, each in enumerate(heroes) if each == form and i not in found]
            if at:
                found.add(at[0])
                break
    return found
