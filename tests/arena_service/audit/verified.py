"""What the other verifier is shown: each field that it proves, changed; pairings not as drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine_service.core.replay import digest
from tests.arena_service.audit.events import Lines
from tests.arena_service.audit.tampering import ZEROS, of

ID = "0" * 32


class Changed(NamedTuple):
    """In which export; `value` stands there instead, or is made from what stood; it `says` so."""

    export: str
    value: Any
    says: str


def _other_place(seed: int) -> int:
    """Of two."""
    return 9 if seed == 1 else 0


# By the path of the field in the first line of its kind that has it; of a list in its first item.
PROVEN: dict[str, Changed] = {
    "export.format": Changed("cup", "export/2", "file: all lines: format is"),
    "event.id": Changed("cup", ID, "entrants: the event: they give another digest"),
    "event.slot": Changed("daily", 7, "file: all lines: slots is [7,2]"),
    "event.state": Changed("cup", "running", "file: the event: running"),
    "event.format": Changed("cup", "swissx", "file: the event: complete, swissx"),
    "event.options": Changed("cup", {"blind_peek": True}, "options is {}, should be {"),
    "event.seats": Changed("cup", 3, "file: the event: complete, round_robin, 3 seats"),
    "event.pairs": Changed("cup", 2, "round 1: pairs is 1, should be 2"),
    "event.rounds": Changed("cup", 2, "pairings: the event: a round is missing"),
    "event.settings.challengers": Changed("gauntlet", [], "or 3 pairs are too many"),
    "event.commitment": Changed("cup", ZEROS, "commitment: the event: commitment is"),
    "event.key": Changed("cup", ZEROS, "commitment: the event: commitment is"),
    "event.entrants_digest": Changed("cup", ZEROS, "entrants: the event: they give another"),
    "entrant.event": Changed("cup", ID, "entrants: the event: they give another digest"),
    "entrant.bot_version": Changed("cup", ID, "standings: the table: versions is"),
    "entrant.bot_id": Changed("cup", ID, "entrants: the event: they give another digest"),
    "entrant.sha256": Changed("cup", ZEROS, "entrants: the event: they give another digest"),
    "entrant.owner": Changed("cup", "eve", "players is"),
    "entrant.bot": Changed("cup", "other", "players is"),
    "entrant.version": Changed("daily", 2, "players is"),
    "entrant.seed": Changed("test", _other_place, "pairings: the event pair 0: seats is"),
    "departure.event": Changed("left-bracket", ID, "it has no result, or no replay"),
    "departure.bot_version": Changed("left-bracket", ID, "it has no result, or no replay"),
    "departure.round": Changed("left-bracket", 9, "pairings: the event"),
    "round.event": Changed("cup", ID, "pairings: the event: a round is missing, or 6 pairs are"),
    "round.number": Changed("cup", 2, "pairings: the event round 1: number is 2, should be 1"),
    "round.pairs": Changed("cup", 2, "pairings: the event round 1: pairs is 2, should be 1"),
    "round.byes": Changed("swiss", [], "pairings: the event round 1: byes is [], should be ["),
    "pair.event": Changed("cup", ID, "is of no pair"),
    "pair.number": Changed("cup", 1, "file: the event pair 0: number is 1, should be 0"),
    "pair.round": Changed("bracket", 99, "pairings: the event pair 0: round is 99, should be 1"),
    "pair.seed": Changed("cup", ZEROS, "seeds: the event pair 0: seed is"),
    "pair.legs": Changed("cup", 3, "file: the event pair 0: legs is 3, should be 2"),
    "match.event": Changed("cup", ID, "file: the event pair 0: played is [1], should be [0,1]"),
    "match.pair": Changed("cup", 99, "is of no pair"),
    "match.leg": Changed("cup", 1, "file: the event pair 0: played is [1,1], should be [0,1]"),
    "match.players": Changed("cup", lambda two: two[::-1], "leg 0 match"),
    "match.players.bot_version": Changed("cup", ID, "pairings: the event pair 0: seats is"),
    "match.players.bot_seed": Changed("cup", ID, "bots is"),
    "match.result": Changed("cup", None, "results: the event pair 0 leg 0 match"),
    "match.result.ending": Changed("cup", "resigned", "ending is"),
    "match.result.at_fault": Changed("cup", 1, "at_fault is 1, should be null"),
    "match.result.ranks": Changed("cup", lambda two: [two[0] % 2 + 1, 1], "ranks is"),
    "match.result.credits": Changed("cup", [0.25, 0.75], "credits is [0.25,0.75], should be ["),
    "match.result.faults": Changed("cup", [0], "faults is [0], should be []"),
    "match.result.digest": Changed("cup", ZEROS, "digest is"),
    "match.replay": Changed("cup", None, "it has no result, or no replay"),
    "match.replay.format": Changed("cup", "replay/2", "format is"),
    "match.replay.game": Changed("cup", "king_is_dead", "game is"),
    "match.replay.rules_version": Changed("cup", 2, "rules_version is 2, should be 1"),
    "match.replay.options": Changed("cup", {"blind_peek": True}, "options is"),
    "match.replay.seats": Changed("cup", 3, "seats is 3, should be 2"),
    "match.replay.seed": Changed("cup", ZEROS, "deal is"),
    "match.replay.deal": Changed("cup", {}, "deal is"),
    "match.replay.deal.first": Changed("cup", 1, "deal is"),
    "match.replay.deal.hands": Changed("cup", lambda two: two[::-1], "deal is"),
    "match.replay.deal.deck": Changed("cup", lambda deck: deck[::-1], "deal is"),
    "match.replay.players": Changed("cup", lambda two: two[::-1], "players is"),
    "match.replay.players.bot": Changed("cup", "eve/other", "players is"),
    "match.replay.players.version": Changed("cup", 9, "players is"),
    "match.replay.plies": Changed("cup", lambda plies: plies[:-1], "result is"),
    "match.replay.plies.seat": Changed("cup", 1, "ply 0: seat 0 has"),
    "match.replay.plies.action": Changed("cup", "Z9", "ply 0: seat 0 has"),
    "match.replay.plies.forced": Changed("cup", None, "seat"),
    "match.replay.result": Changed("cup", {}, "result is {}, should be"),
    "match.replay.result.ending": Changed("cup", "resigned", "result is"),
    "match.replay.result.at_fault": Changed("cup", 1, "result is"),
    "match.replay.result.ranks": Changed("cup", [1, 1], "result is"),
    "match.replay.result.score": Changed("cup", None, "result is"),
    "match.replay.digest": Changed("cup", ZEROS, "digest is"),
    "rating.event": Changed("cup", ID, "rating is"),
    "rating.bot_version": Changed("cup", ID, "rating is"),
    "rating.value": Changed("cup", 500.0, "should be 500"),
    "rating.error": Changed("cup", 1.0, "should be 1"),
    "standing.rank": Changed("cup", 7, "rank is 7, should be 1"),
    "standing.bot_version": Changed("cup", ID, "standings: the table: versions is"),
    "standing.pairs": Changed("cup", 99, "pairs is 99"),
    "standing.wins": Changed("cup", 99, "wins is 99"),
    "standing.draws": Changed("cup", 99, "draws is 99"),
    "standing.losses": Changed("cup", 99, "losses is 99"),
    "standing.credit": Changed("cup", 0.123, "credit is 0.123, should be"),
    "standing.rating": Changed("cup", 5000.0, "rating is 5000"),
    "standing.error": Changed("cup", 0.5, "error is 0.5"),
    "standing.faults": Changed("cup", 99, "faults is 99"),
    "end.lines": Changed("cup", 3, "file: all lines: lines is 3"),
}
OF_ANOTHER_GAME = {"event.game": "king_is_dead", "event.rules_version": 2}
NOT_PROVEN = {
    "export": ("competition", "id", "name"),
    "event": ("settings.seeding", "settings.sprt", "limits", "closed_at", "completed_at"),
    "entrant": ("rating", "challenger", "error", "pairs", "waited", "met"),
    "departure": ("departed", "reason"),
    "match": ("id", "annulled_at"),
    "place": ("event", "rank", "bot_version", "points", "tie_breaks"),
    "look": ("event", "verdict", "looked", "llr", "pairs"),
    "standing": ("credit_low", "credit_high"),
}


def put(lines: Lines, path: str, value: Any) -> None:
    """Change the first field of that path."""
    kind, *keys, last = path.split(".")
    holders = [holder for line in of(lines, kind) for holder in _holders(line, keys)]
    holder = next(each for each in holders if each.get(last, ...) is not ...)
    holder[last] = value(holder[last]) if callable(value) else value
    if path.startswith("match.replay.") and last != "digest":
        _sign(lines)


def paths(value: Any, path: str = "") -> set[str]:
    """Of all fields that hold no further ones; the items of a list are fields of its name."""
    if isinstance(value, dict) and value:
        return {each for key in value for each in paths(value[key], f"{path}.{key}")}
    if isinstance(value, list) and value:
        return {each for item in value for each in paths(item, path)}
    return {path}


def _sign(lines: Lines) -> None:
    """So that what was changed in a replay is not told by its digest."""
    for match in of(lines, "match"):
        if match["replay"] is not None:
            match["replay"]["digest"] = match["result"]["digest"] = digest(match["replay"])


def _holders(value: Any, keys: list[str]) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [holder for item in value for holder in _holders(item, keys)]
    if not isinstance(value, dict):
        return []
    return _holders(value.get(keys[0]), keys[1:]) if keys else [value]


def meet(lines: Lines, pair: int, two: list[str]) -> None:
    """As if those two had met in a pair, and nothing else were wrong."""
    names = {
        each["bot_version"]: {"bot": f"{each['owner']}/{each['bot']}", "version": each["version"]}
        for each in of(lines, "entrant")
    }
    for match in of(lines, "match"):
        if match["pair"] == pair:
            seated = two if match["leg"] == 0 else two[::-1]
            for seat, version in enumerate(seated):
                match["players"][seat]["bot_version"] = version
            if match["replay"] is not None:
                match["replay"]["players"] = [names[version] for version in seated]


def seats(lines: Lines, pair: int) -> list[str]:
    """Who sits where in its first leg."""
    first = next(match for match in of(lines, "match") if match["pair"] == pair)
    return [player["bot_version"] for player in first["players"]]


def _exchange(one: int, other: int) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        here, there = seats(lines, one), seats(lines, other)
        meet(lines, one, there)
        meet(lines, other, here)

    return change


def _turn_round(pair: int) -> Callable[[Lines], None]:
    return lambda lines: meet(lines, pair, seats(lines, pair)[::-1])


def without_the_last_round(lines: Lines) -> None:
    """As if it had not been planned."""
    last = of(lines, "round")[-1]["number"]
    gone = {pair["number"] for pair in of(lines, "pair") if pair["round"] == last}
    lines[:] = [
        line
        for line in lines
        if (line["kind"], line.get("number")) != ("round", last)
        and line.get("pair", line.get("number") if line["kind"] == "pair" else None) not in gone
    ]


def _exchange_seeds(one: int, other: int) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        seeded = {each["seed"]: each for each in of(lines, "entrant")}
        seeded[one]["seed"], seeded[other]["seed"] = other, one

    return change


def _back_after_two_defeats(lines: Lines) -> None:
    """The third of three, who is out, plays the last pair of a bracket."""
    last = of(lines, "pair")[-1]["number"]
    first, second = seats(lines, last)
    third = next(
        each["bot_version"]
        for each in of(lines, "entrant")
        if each["bot_version"] not in (first, second)
    )
    meet(lines, last, [first, third])


# By what was done to whom meets: the export, the change, what is said.
PAIRINGS: dict[str, tuple[str, Callable[[Lines], None], str]] = {
    "who meets in a round robin": ("cup", _exchange(3, 4), "pairings: the event pair 3: seats is"),
    "seats in a round robin": ("cup", _turn_round(2), "pairings: the event pair 2: seats is"),
    "seats in a slot": ("daily", _turn_round(1), "pairings: slot 1 pair 1: seats is"),
    "who meets in a gauntlet": ("gauntlet", _exchange(0, 2), "the event pair 0: seats is"),
    "seats in a gauntlet": ("gauntlet", _turn_round(1), "the event pair 1: seats is"),
    "seats in a test": ("test", _turn_round(9), "pairings: the event pair 9: seats is"),
    "who meets first in a swiss": ("swiss", _exchange(0, 1), "the event pair 0: seats is"),
    "who meets later in a swiss": ("swiss", _exchange(2, 3), "the event pair 2: seats is"),
    "seats in a swiss": ("swiss", _turn_round(3), "pairings: the event pair 3: seats is"),
    "the rounds of a swiss": ("swiss", without_the_last_round, "the event: a round is missing"),
    "the rounds of a round robin": ("cup", without_the_last_round, "a round is missing"),
    "defeats": ("bracket", _back_after_two_defeats, "seats is"),
    "the seeding of a bracket": ("bracket", _exchange_seeds(1, 3), "seats is"),
    "seats in a bracket": ("bracket", _turn_round(1), "pairings: the event pair 1: seats is"),
    "the rounds of a bracket": ("bracket", without_the_last_round, "a round is missing"),
}
