"""Who stands how in Hidden Leaders: Duel: influence, rows and armies, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.boards.leaders_signs import FACTIONS

View = Mapping[str, Any]
SEATS = (0, 1)
ROW = 7  # slots 0 to 6 are row 0, the others row 1


@dataclass(frozen=True)
class Influence:
    """Of a seat in a faction: `heroes` of its Council as seen, the `leader`'s value if it has it.

    `total` is None while the viewer does not know all of it.
    """

    heroes: tuple[str, ...]
    leader: int | None
    total: int | None

    @property
    def present(self) -> bool:
        """Whether the seat can keep heroes of the faction, as far as is known."""
        return bool(self.heroes) or self.leader is not None


@dataclass(frozen=True)
class Army:
    """What a seat keeps."""

    strength: int
    heroes: int


def influence(view: View, seat: int, faction: str) -> Influence:
    """What the viewer knows of it."""
    council, leader = view["councils"][seat], view["leaders"][seat]
    heroes = tuple(hero for hero in council if hero[0] == faction)
    values = {card["factions"]: int(card["value"]) for card in view["leader_cards"]}
    value = values[leader] if faction in leader else None
    if not leader or any("?" in hero for hero in council):
        return Influence(heroes, value, None)
    return Influence(heroes, value, sum(map(strength, heroes)) + (value or 0))


def strength(hero: str) -> int:
    """Of a hero whose strength is known."""
    return int(hero[1:])


def row_of(slot: int) -> int:
    """The row that the slot is in."""
    return slot // ROW


def lying(view: View, row: int, faction: str = "") -> list[str]:
    """The heroes of a row, blockers among them; those of one faction, if it is named."""
    slots = view["slots"][ROW * row : ROW * (row + 1)]
    heroes = [slot[place] for slot in slots for place in ("hero", "blocker") if slot[place]]
    return [hero for hero in heroes if hero.startswith(faction)]


def standing(view: View) -> tuple[Army, Army] | None:
    """What the seats would keep if the game ended here, or keep; None when that is not known."""
    armies: tuple[list[int], list[int]] = ([], [])
    for faction in FACTIONS:
        known = [influence(view, seat, faction) for seat in SEATS]
        rows = [lying(view, row, faction) for row in SEATS]
        if None in (known[0].total, known[1].total) or any("?" in h for h in (*rows[0], *rows[1])):
            return None
        crossed = _crossed([known[0].total or 0, known[1].total or 0], [len(row) for row in rows])
        for seat in SEATS:
            if known[seat].present:
                armies[seat].extend(map(strength, rows[1 - seat if crossed else seat]))
    first, second = (Army(sum(army), len(army)) for army in armies)
    return first, second


def _crossed(influence: Sequence[int], counts: Sequence[int]) -> bool:
    """Whether each seat gets the heroes of the other row: more influence, more heroes."""
    tied = influence[0] == influence[1] or counts[0] == counts[1]
    return not tied and (influence[0] > influence[1]) != (counts[0] > counts[1])


def kept(view: View, seat: int, faction: str) -> list[str]:
    """What the seat has kept of a faction, once the game is over."""
    return [hero for hero in view["armies"][seat] if hero[0] == faction]


def keepers(view: View) -> dict[tuple[int, str], int]:
    """By row and faction who keeps the heroes that lie there, once the game is over."""
    found = {}
    for faction in FACTIONS:
        rows = [sorted(lying(view, row, faction)) for row in SEATS]
        for seat in SEATS:
            army = sorted(kept(view, seat, faction))
            if army:  # rows of the same heroes stay with their own seats
                found[seat if army == rows[seat] else 1 - seat, faction] = seat
    return found


def out_of_sight(view: View, seat: int) -> list[str]:
    """Heroes that the seat took face up and never laid down again, where its hand is hidden.

    They are still in the hand, or went face down into the Council or on a hero.
    """
    if view["viewer"] in (seat, -2) or view["actor"] < 0:
        return []
    held: list[str] = []
    for turn in view["turns"]:
        if turn["seat"] == seat:
            shown = zip(turn["taken"], turn["face_up"], strict=True)
            held += [hero for hero, face_up in shown if face_up]
            for hero in turn["returned"]:
                if hero in held:
                    held.remove(hero)
    return held
