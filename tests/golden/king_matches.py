"""The golden matches of The King Is Dead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from matches import cut, document, first, score

from engine_service.catalogue import game
from engine_service.core import referee
from engine_service.core.game import Plain
from engine_service.core.referee import Position

KING = "king_is_dead"
CUNNING = {"variant": "cunning"}
PLOT_IDLE = {"variant": "cunning", "plot_breaks_ties": False}


def is_coronation(position: Position) -> bool:
    """All eight struggles were resolved."""
    return bool(score(position)["ending"] == "coronation")


def is_invasion_by_the_last_card(position: Position) -> bool:
    """As many sets each: the more recent last card decides."""
    sets = score(position).get("sets")
    return sets is not None and sets[0] == sets[1]


def is_coronation_by_the_last_card(position: Position) -> bool:
    """As many followers of factions 1 and 2 each."""
    result = score(position)
    first, second = ("SWE".index(faction) for faction in result["ranking"][:2])
    ours, theirs = ((court[first], court[second]) for court in result["courts"])
    return result["ending"] == "coronation" and ours == theirs


def is_decided_by_plot(position: Position) -> bool:
    """Without the option another side would win the coronation."""
    without = replace(position.options, plot_breaks_ties=False)
    plain = position.game.result(replace(position.state, options=without))
    true = position.game.result(position.state)
    assert plain is not None
    assert true is not None
    return plain.ranks != true.ranks


def spies_a_negotiation(position: Position) -> bool:
    """Spy copies Negotiate, and a disc is lacking for one of the exchanges."""
    texts = [ply.action for ply in position.plies]
    return any(text.startswith("exchange") and "disc" not in text for text in texts)


def is_invasion_of_teams(position: Position) -> bool:
    """A team wins whose members alone have fewer sets than the others together."""
    result = score(position)
    if result["ending"] != "invasion":
        return False
    alone = [min(court) for court in result["courts"]]
    return max(alone) < min(result["sets"])


def passed() -> Position:
    """Nobody plays a card: what is equal stays equal."""
    rules = game(KING)
    position = referee.start(rules, rules.parse_options({}), 3, bytes(32))
    while position.actor is not None:
        position = referee.step(position, "pass")
    return position


def replays() -> Iterator[tuple[str, Plain]]:
    """Names and documents."""
    yield f"{KING}-2-invasion-tie", document(first(KING, is_invasion_by_the_last_card))
    yield f"{KING}-2-coronation-tie", document(first(KING, is_coronation_by_the_last_card))
    yield f"{KING}-2-spied-negotiation", document(first(KING, spies_a_negotiation, CUNNING))
    yield f"{KING}-3-passed", document(passed())
    plot = first(KING, is_decided_by_plot, CUNNING, 3)
    yield f"{KING}-3-plot", document(plot)
    teams = first(KING, is_invasion_of_teams, None, 4)
    yield f"{KING}-4-invasion", document(teams)
    yield f"{KING}-4-cunning", document(first(KING, is_coronation, CUNNING, 4))
    yield f"{KING}-2-plot-idle", document(first(KING, is_coronation, PLOT_IDLE))
    middle, opening = cut(teams, 31), cut(teams, 0)
    yield f"{KING}-4-timeout", document(middle, "timeout", middle.actor)
    yield f"{KING}-4-failed-start", document(opening, "crash", 2)
    yield f"refused/{KING}-wrong-teams", document(teams) | {"teams": [0, 0, 1, 1]}
