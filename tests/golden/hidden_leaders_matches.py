"""The golden matches of Hidden Leaders: Duel."""

from __future__ import annotations

from collections.abc import Iterator

from matches import cut, document, first, played, score

from engine_service.core import replay
from engine_service.core.game import Plain
from engine_service.core.referee import Position

DUEL = "hidden_leaders_duel"
OWN_CARDS: Plain = {
    "deck": [f"{faction}{strength}" for faction in "RGB" for strength in (0, 2, 2, 3, 5, 8, 13, 99)]
    + ["K1"] * 4,
    "leaders": [
        {"factions": ["R", "G", "B", "K"], "value": 0},
        {"factions": ["K"], "value": 99},
        {"factions": ["B", "K"], "value": 7},
    ],
}


def is_drawn(position: Position) -> bool:
    """Armies of equal strength and size."""
    return all(len(set(score(position)[key])) == 1 for key in ("strength", "heroes"))


def is_won_by_numbers(position: Position) -> bool:
    """Armies of equal strength, one of them larger."""
    return len(set(score(position)["strength"])) == 1 and not is_drawn(position)


def is_blocked_to_the_last(position: Position) -> bool:
    """Thirteen blocks leave one free hero for turn 14."""
    return len(position.plies[-3].action.split()) == 2


def takes_a_blocked_hero(true: Plain) -> Plain:
    """The turn after the first block, under a digest that is right."""
    plies = [dict(ply) for ply in true["plies"]]
    blocked = int(plies[2]["action"].split()[-1])
    one, other = sorted((blocked, (blocked + 1) % 14))
    plies[3]["action"] = f"take {one} {other}"
    forged = true | {"plies": plies}
    return forged | {"digest": replay.digest(forged)}


def replays() -> Iterator[tuple[str, Plain]]:
    """Names and documents."""
    last = first(DUEL, is_blocked_to_the_last)
    yield f"{DUEL}-blocked-to-the-last", document(last)
    yield f"{DUEL}-drawn", document(first(DUEL, is_drawn))
    yield f"{DUEL}-won-by-numbers", document(first(DUEL, is_won_by_numbers))
    yield f"{DUEL}-hidden-factions", document(played(DUEL, 0, {"hidden_factions": True}, 2))
    yield f"{DUEL}-own-cards", document(played(DUEL, 0, OWN_CARDS, 2))
    middle = cut(last, 16)  # a turn that is begun
    yield f"{DUEL}-timeout", document(middle, "timeout", middle.actor)
    yield f"refused/{DUEL}-takes-a-blocked-hero", takes_a_blocked_hero(document(last))
