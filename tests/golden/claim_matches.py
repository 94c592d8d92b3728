"""The golden matches of Claim."""

from __future__ import annotations

from collections.abc import Iterator

from matches import cut, document, first, no_contest, score

from engine_service.core import replay
from engine_service.core.game import Plain
from engine_service.core.referee import Position


def is_drawn(position: Position) -> bool:
    """Two votes each: a faction that neither seat scored or with equal goblins."""
    return bool(score(position)["votes"] == [2, 2])


def is_undead_tie(position: Position) -> bool:
    """Five Undead each: the owner of U9 has the vote, and it decides the match."""
    return score(position)["cards"]["U"] == [5, 5] and 3 in score(position)["votes"]


def is_last_trick_dwarf(position: Position) -> bool:
    """The very last trick brings a Dwarf to its loser, and with it the Dwarf vote."""
    *_, before, last = position.game.view(position.state, "all").tricks
    cards = score(position)["cards"]["D"]
    dwarves = [position.game.notation(card)[0] for card in last.cards].count("D")
    return before.winner != last.winner and dwarves == 1 and abs(cards[0] - cards[1]) == 1


def replays() -> Iterator[tuple[str, Plain]]:
    """Names and documents, those that must be refused too."""
    drawn, tied = first("claim", is_drawn), first("claim", is_undead_tie)
    yield "claim-drawn", document(drawn)
    yield "claim-undead-tie", document(tied)
    yield "claim-last-trick-dwarf", document(first("claim", is_last_trick_dwarf))
    peeked = first("claim", lambda position: True, {"blind_peek": True})
    yield "claim-blind-peek", document(peeked)
    middle, opening = cut(drawn, 31), cut(drawn, 0)
    yield "claim-timeout", document(middle, "timeout", middle.actor)
    yield "claim-failed-start", document(opening, "crash", 1)
    yield "claim-no-contest", no_contest(opening)
    yield from refused(document(tied))


def refused(true: Plain) -> Iterator[tuple[str, Plain]]:
    """One with a wrong digest, one with an illegal action under a right digest."""
    yield "refused/claim-wrong-digest", true | {"digest": "0123456789abcdef" * 4}
    plies = [dict(ply) for ply in true["plies"]]
    plies[30]["action"] = plies[29]["action"]
    forged = true | {"plies": plies}
    yield "refused/claim-illegal-action", forged | {"digest": replay.digest(forged)}
