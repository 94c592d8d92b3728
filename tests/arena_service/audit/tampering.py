"""Ways to change an export that its reader must find and name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine_service.core.replay import digest
from tests.arena_service.audit.events import Lines

ZEROS = "0" * 64
WON = [1, 2]
LIMITS = {"start_cpu_ms": 5000, "move_cpu_ms": 0, "bank_cpu_ms": 2000}


@dataclass(frozen=True)
class Tampering:
    """A change; `proof` must fail and say `says`. `node`: the other verifier sees it too."""

    name: str
    proof: str
    says: str
    change: Callable[[Lines], Any]
    node: bool = True


def of(lines: Lines, kind: str) -> Lines:
    """The lines of a kind."""
    return [line for line in lines if line["kind"] == kind]


def whole(lines: Lines) -> dict[str, Any]:
    """The first match that was played to its end and won by seat 0."""
    return next(
        line
        for line in of(lines, "match")
        if line["result"]["ending"] == "completed" and line["result"]["ranks"] == WON
    )


def _result_alone(lines: Lines) -> None:
    whole(lines)["result"] |= {"ranks": [2, 1], "credits": [0.0, 1.0]}


def _result_everywhere(lines: Lines) -> None:
    match = whole(lines)
    match["replay"]["result"]["ranks"] = [2, 1]
    _sign(match)
    match["result"] |= {"ranks": [2, 1], "credits": [0.0, 1.0]}


def _cut_short(lines: Lines) -> None:
    """As if a match could be complete without its last ply, and without ranks."""
    match = whole(lines)
    del match["replay"]["plies"][-1]
    match["replay"]["result"] |= {"ranks": None, "score": None}
    _sign(match)
    match["result"] |= {"ranks": None, "credits": None}


def _action(lines: Lines) -> None:
    match = whole(lines)
    plies = match["replay"]["plies"]
    plies[4]["action"], plies[6]["action"] = plies[6]["action"], plies[4]["action"]
    plies[5]["action"] = plies[0]["action"]
    _sign(match)


def _sign(match: dict[str, Any]) -> None:
    match["replay"]["digest"] = match["result"]["digest"] = digest(match["replay"])


def _fault(lines: Lines) -> None:
    match = next(m for m in of(lines, "match") if m["result"]["ending"] == "timeout")
    result = match["replay"]["result"]
    result["at_fault"], result["ranks"] = 1 - result["at_fault"], result["ranks"][::-1]
    _sign(match)
    match["result"] |= {
        "at_fault": result["at_fault"],
        "faults": [result["at_fault"]],
        "ranks": result["ranks"],
        "credits": match["result"]["credits"][::-1],
    }


def _seed(lines: Lines) -> None:
    of(lines, "pair")[2]["seed"] = ZEROS


def _seed_everywhere(lines: Lines) -> None:
    """With its replays, whose deal is not that of the seed then."""
    pair = of(lines, "pair")[2]
    pair["seed"] = ZEROS
    for match in of(lines, "match"):
        if match["pair"] == pair["number"]:
            match["replay"]["seed"] = ZEROS
            _sign(match)


def _bot_seed(lines: Lines) -> None:
    whole(lines)["players"][0]["bot_seed"] = "0" * 32


def _seating(lines: Lines) -> None:
    for match in of(lines, "match"):
        if match["pair"] == 3:
            match["players"].reverse()
            match["replay"]["players"].reverse()


def _groups(lines: Lines) -> None:
    """Two pairs exchange who plays in them."""
    pairs = [[m for m in of(lines, "match") if m["pair"] == number] for number in (3, 4)]
    for one, two in zip(*pairs, strict=True):
        one["players"], two["players"] = two["players"], one["players"]
        first, second = one["replay"], two["replay"]
        first["players"], second["players"] = second["players"], first["players"]


def _drop_match(lines: Lines) -> None:
    lines.remove(whole(lines))


def _drop_last_pair(lines: Lines) -> None:
    pair = of(lines, "pair")[-1]
    lines.remove(pair)
    for match in of(lines, "match"):
        if match["pair"] == pair["number"]:
            lines.remove(match)


def _copy_match(lines: Lines) -> None:
    match = whole(lines)
    lines.insert(lines.index(match), match | {"id": "second"})


def _further_leg(lines: Lines) -> None:
    match = whole(lines)
    lines.insert(lines.index(match), match | {"id": "third", "leg": 2})


def _further_pair(lines: Lines) -> None:
    last, match = of(lines, "pair")[-1], whole(lines)
    number = last["number"] + 1
    lines.insert(lines.index(last) + 1, last | {"number": number})
    for leg in range(2):
        lines.insert(len(lines) - 1, match | {"id": f"{leg:032x}", "leg": leg, "pair": number})


def _no_result(lines: Lines) -> None:
    whole(lines).update(result=None, replay=None)


def _set(kind: str, **values: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        of(lines, kind)[0].update(values)

    return change


def _swap_ranks(lines: Lines) -> None:
    first, second = of(lines, "standing")[:2]
    first["rank"], second["rank"] = 2, 1


def _further_entrant(lines: Lines) -> None:
    entrant = of(lines, "entrant")[0]
    lines.insert(lines.index(entrant), entrant | {"bot_version": "x", "bot_id": "y"})


TAMPERINGS = [
    Tampering("a result", "results", "ranks is [2, 1], in its replay [1, 2]", _result_alone),
    Tampering("a result with its replay", "replays", "wrong result: ranks", _result_everywhere),
    Tampering("a match cut short", "replays", "the forced ply is missing", _cut_short),
    Tampering("an action", "replays", "illegal action", _action),
    Tampering("whose fault it was", "replays", "cannot be at fault", _fault),
    Tampering(
        "a digest", "replays", "wrong digest", lambda ls: whole(ls)["replay"].update(digest=ZEROS)
    ),
    Tampering(
        "credits",
        "credits",
        "from its ranks follow [1.0, 0.0]",
        lambda ls: whole(ls)["result"].update(credits=[0.5, 0.5]),
    ),
    Tampering(
        "blame",
        "results",
        "blames the seats [0], its replay []",
        lambda ls: whole(ls)["result"].update(faults=[0]),
    ),
    Tampering("the seed of a pair", "seeds", "its seed does not follow from the key", _seed),
    Tampering("a seed with its replays", "replays", "wrong deal", _seed_everywhere),
    Tampering("the seed of a bot", "seats", "the seeds of its bots do not follow", _bot_seed),
    Tampering("a seating", "pairings", "pair 3 seats", _seating),
    Tampering("who meets", "pairings", "pair 4 seats", _groups),
    Tampering("an entrant", "entrants", "give another digest", _set("entrant", sha256=ZEROS)),
    Tampering("a further entrant", "entrants", "give another digest", _further_entrant),
    Tampering("a name", "replays", "players in its replay is not", _set("entrant", bot="other")),
    Tampering("the key", "commitment", "is another commitment", _set("event", key=ZEROS)),
    Tampering(
        "the commitment", "commitment", "another commitment", _set("event", commitment=ZEROS)
    ),
    Tampering("the digest", "entrants", "another digest", _set("event", entrants_digest=ZEROS)),
    Tampering("a format", "terms", "there is no format 'swissx'", _set("event", format="swissx")),
    Tampering("a limit", "terms", "possible are 1 to", _set("event", limits=LIMITS), node=False),
    Tampering(
        "a ladder", "file", "of them slots", _set("export", competition="ladder"), node=False
    ),
    Tampering("options", "replays", "options in its", _set("event", options={"blind_peek": True})),
    Tampering("how many pairs", "pairings", "drawn are 12", _set("round", pairs=2)),
    Tampering("a missing match", "file", "is missing", _drop_match),
    Tampering("a missing pair", "pairings", "5 pairs, drawn are 6", _drop_last_pair),
    Tampering("a match twice", "file", "match second is there twice, as match", _copy_match),
    Tampering("a further leg", "file", "has a leg 2 on 2 seats", _further_leg),
    Tampering("a further pair", "pairings", "7 pairs, drawn are 6", _further_pair),
    Tampering("no result", "file", "has no result, nobody has left", _no_result),
    Tampering("a rating", "ratings", "is off by", _set("rating", value=500.0), node=False),
    Tampering("an error", "ratings", "is off by", _set("rating", error=1.0), node=False),
    Tampering("matches won", "standings", "wins is 9", _set("standing", wins=9)),
    Tampering("a credit", "standings", "credit is 0.99", _set("standing", credit=0.99)),
    Tampering(
        "an interval", "standings", "credit_low", _set("standing", credit_low=0.7), node=False
    ),
    Tampering("faults", "standings", "faults is 7", _set("standing", faults=7)),
    Tampering("ranks", "standings", "rank is 2", _swap_ranks),
    Tampering(
        "a missing row",
        "standings",
        "is in one table alone",
        lambda ls: ls.remove(of(ls, "standing")[0]),
    ),
]
