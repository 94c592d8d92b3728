"""Writes the golden replays again: `python tests/golden/generate.py`.

Only together with a new `rules_version`. Each match is the first random one of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine_service.catalogue import game
from engine_service.core import referee, replay
from engine_service.core.game import Plain
from engine_service.core.referee import Position
from engine_service.core.seeds import Stream

FOLDER = Path(__file__).parent
CLAIM = game("claim")
PLAYERS: list[Plain] = [{"bot": "golden", "version": 1}, {"bot": "golden", "version": 1}]
SEARCHED = 20_000


def played(number: int, raw_options: Plain) -> Position:
    """A random match that depends on its number alone."""
    seed = number.to_bytes(32, "big")
    choices = Stream(seed, "golden/choices")
    position = referee.start(CLAIM, CLAIM.parse_options(raw_options), 2, seed)
    while position.actor is not None:
        legal = CLAIM.legal_actions(position.state)
        position = referee.step(position, legal[choices.below(len(legal))])
    return position


def score(position: Position) -> Any:
    result = CLAIM.result(position.state)
    assert result is not None
    return result.score


def is_drawn(position: Position) -> bool:
    """Two votes each: a faction that neither seat scored or with equal goblins."""
    return bool(score(position)["votes"] == [2, 2])


def is_undead_tie(position: Position) -> bool:
    """Five Undead each: the owner of U9 has the vote, and it decides the match."""
    return score(position)["cards"]["U"] == [5, 5] and 3 in score(position)["votes"]


def is_last_trick_dwarf(position: Position) -> bool:
    """The very last trick brings a Dwarf to its loser, and with it the Dwarf vote."""
    *_, before, last = CLAIM.view(position.state, "all").tricks
    cards = score(position)["cards"]["D"]
    dwarves = [CLAIM.notation(card)[0] for card in last.cards].count("D")
    return before.winner != last.winner and dwarves == 1 and abs(cards[0] - cards[1]) == 1


def first(kind: Callable[[Position], bool], raw_options: Plain) -> Position:
    for number in range(SEARCHED):
        position = played(number, raw_options)
        if kind(position):
            return position
    raise LookupError(f"no match of the kind {kind.__name__}")


def cut(position: Position, plies: int) -> Position:
    """The match at its first choice after some plies."""
    actions = [ply.action for ply in position.plies[:plies]]
    assert position.seed is not None
    return referee.replay_actions(CLAIM, position.options, position.seats, position.seed, actions)


def replays() -> Iterator[tuple[str, Plain]]:
    """Names and documents, those that must be refused too."""
    whole = {
        "claim-drawn": first(is_drawn, {}),
        "claim-undead-tie": first(is_undead_tie, {}),
        "claim-last-trick-dwarf": first(is_last_trick_dwarf, {}),
        "claim-blind-peek": first(lambda position: True, {"blind_peek": True}),
    }
    for name, position in whole.items():
        yield name, replay.build(position, PLAYERS, "completed", None)
    middle = cut(whole["claim-drawn"], 31)
    yield "claim-timeout", replay.build(middle, PLAYERS, "timeout", middle.actor)
    opening = cut(whole["claim-drawn"], 0)
    yield "claim-failed-start", replay.build(opening, PLAYERS, "crash", 1)
    yield "claim-no-contest", replay.no_contest(opening, PLAYERS)
    yield from refused(replay.build(whole["claim-undead-tie"], PLAYERS, "completed", None))


def refused(document: Plain) -> Iterator[tuple[str, Plain]]:
    """One with a wrong digest, one with an illegal action under a right digest."""
    yield "refused/claim-wrong-digest", document | {"digest": "0123456789abcdef" * 4}
    plies = [dict(ply) for ply in document["plies"]]
    plies[30]["action"] = plies[29]["action"]
    forged = document | {"plies": plies}
    yield "refused/claim-illegal-action", forged | {"digest": replay.digest(forged)}


def main() -> None:
    (FOLDER / "refused").mkdir(exist_ok=True)
    for name, document in replays():
        (FOLDER / f"{name}.replay.json").write_bytes(replay.write(document))


if __name__ == "__main__":
    main()
