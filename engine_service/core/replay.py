"""The replay file: build it, write it, read it, prove it, and look at it frame by frame."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine_service.core import referee
from engine_service.core.errors import IllegalActionError, ReplayError, RulesError
from engine_service.core.game import Game, Plain, Viewer
from engine_service.core.referee import Ply, Position
from engine_service.core.replay_shape import check_shape
from engine_service.core.replay_text import parse

FORMAT = "replay/1"
COMPLETED, NO_CONTEST = "completed", "no_contest"
FAULTS = ("resigned", "illegal_action", "timeout", "crash")
ENDINGS = (COMPLETED, *FAULTS, NO_CONTEST)
MAX_BYTES = 4 * 2**20
DIGESTED = (
    "format",
    "game",
    "rules_version",
    "options",
    "seats",
    "seed",
    "deal",
    "plies",
    "result",
)

Lookup = Callable[[str], Game]


@dataclass(frozen=True, slots=True)
class Frame:
    """What one viewer sees after `ply` plies; `seat`, `action` are of the last, None at first."""

    ply: int
    seat: int | None
    action: str | None
    forced: bool
    view: Plain
    actor: int | None


def build(position: Position, players: Sequence[Plain], ending: str, at_fault: int | None) -> Plain:
    """The document of a match that has ended; raises ReplayError if it has not ended so."""
    plies = position.plies
    if ending in FAULTS and at_fault != position.actor and all(ply.forced for ply in plies):
        plies = ()  # a bot that failed to start: no ply counts
    result = _result(position, ending, at_fault, len(plies))
    return _document(position, players, plies, result)


def no_contest(position: Position, players: Sequence[Plain]) -> Plain:
    """The document of a match that more than one side failed to start."""
    return _document(position, players, (), _unrated())


def write(document: Plain) -> bytes:
    """The file: one line of JSON."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"


def read(data: bytes) -> Plain:
    """The document in a file, its shape checked and nothing else; raises ReplayError."""
    document = parse(data)
    check_shape(document, FORMAT)
    return dict(document)


def digest(document: Plain) -> str:
    """The fingerprint: of the match, not of players, names or additions."""
    core = {key: document[key] for key in DIGESTED}
    core["plies"] = [
        {key: ply[key] for key in ("seat", "action", "forced") if key in ply}
        for ply in document["plies"]
    ]
    return hashlib.sha256(canonical(core).encode()).hexdigest()


def canonical(plain: Any) -> str:
    """The one JSON text of some plain data: equal texts mean the same, types included."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def verify(document: Plain, lookup: Lookup) -> Position:
    """Play the match again and compare everything; the last position, or ReplayError."""
    check_shape(document, FORMAT)
    position = opening(document, lookup)
    position = _played(document, position)
    result = document["result"]
    expected = _expected_result(position, result, len(document["plies"]))
    for key, value in expected.items():
        if canonical(result[key]) != canonical(value):
            wrong = canonical(result[key])[:80]
            raise ReplayError(None, f"wrong result: {key} is {canonical(value)}, not {wrong}")
    if document["digest"] != digest(document):
        raise ReplayError(None, "wrong digest")
    if document.get("teams", list(position.teams)) != list(position.teams):
        raise ReplayError(None, f"wrong teams: the seats play as {list(position.teams)}")
    return position


def opening(document: Plain, lookup: Lookup) -> Position:
    """The position before the first ply, the deal compared with the seed; raises ReplayError."""
    try:
        game = lookup(document["game"])
        _check_version(document, game)
        options = game.parse_options(document["options"])
        position = referee.set_up(game, options, document["seats"], document["deal"])
        from_seed = referee.dealt(game, options, document["seats"], bytes.fromhex(document["seed"]))
    except ReplayError:
        raise
    except RulesError as error:
        raise ReplayError(None, str(error)) from error
    if options.to_plain() != document["options"]:
        raise ReplayError(None, "options holds a default, which is left out in replays")
    if position.deal != document["deal"] or from_seed.deal != document["deal"]:
        raise ReplayError(None, "wrong deal: the seed gives another")
    return from_seed


def frames(document: Plain, game: Game, viewer: Viewer) -> Iterator[Frame]:
    """The deal, then one frame per ply; raises ReplayError at a ply that is not legal."""

    def lookup(name: str) -> Game:
        if name != game.name:
            raise ReplayError(None, f"a replay of {name[:80]}, not of {game.name}")
        return game

    position = opening(document, lookup)
    yield _frame(position, viewer, None)
    for number, recorded in enumerate(document["plies"]):
        position = _recorded(position, number, recorded)
        yield _frame(position, viewer, position.plies[-1])


def _document(
    position: Position, players: Sequence[Plain], plies: Sequence[Ply], result: Plain
) -> Plain:
    if position.seed is None:
        raise ReplayError(None, "a deal set by hand makes no replay")
    document: Plain = {
        "format": FORMAT,
        "game": position.game.name,
        "rules_version": position.game.rules_version,
        "options": position.options.to_plain(),
        "seats": position.seats,
        "seed": position.seed.hex(),
        "deal": position.deal,
        "players": list(players),
        "plies": [_ply_to_plain(ply) for ply in plies],
        "result": result,
    }
    return document | _partners(position) | {"digest": digest(document)}


def _partners(position: Position) -> Plain:
    """The team of every seat, where seats share one."""
    teams = list(position.teams)
    return {"teams": teams} if len(set(teams)) < len(teams) else {}


def _ply_to_plain(ply: Ply) -> Plain:
    plain: Plain = {"seat": ply.seat, "action": ply.action}
    return plain | {"forced": True} if ply.forced else plain


def _result(position: Position, ending: str, at_fault: int | None, plies: int) -> Plain:
    """Raises ReplayError unless the match can have ended so."""
    ended = position.game.result(position.state)
    if ending == COMPLETED:
        if ended is None:
            raise ReplayError(plies, "the game is not over: plies are missing")
        ranks, score, at_fault = list(ended.ranks), ended.score, None
    elif ending in FAULTS:
        if ended is not None:
            raise ReplayError(plies, f"the game is over and cannot end as {ending}")
        seated = at_fault is not None and 0 <= at_fault < position.seats
        if at_fault is None or not seated or (plies and at_fault != position.actor):
            raise ReplayError(plies, f"seat {at_fault} cannot be at fault here")
        ranks, score = list(referee.forfeit_ranks(position.teams, at_fault)), None
    else:
        raise ReplayError(None, f"no match ends as {ending[:80]!r}")
    return {"ending": ending, "ranks": ranks, "at_fault": at_fault, "score": score}


def _unrated() -> Plain:
    return {"ending": NO_CONTEST, "ranks": None, "at_fault": None, "score": None}


def _expected_result(position: Position, result: Plain, plies: int) -> Plain:
    if result["ending"] != NO_CONTEST:
        return _result(position, result["ending"], result["at_fault"], plies)
    if plies:
        raise ReplayError(0, "a match without contest has no plies")
    return _unrated()


def _check_version(document: Plain, game: Game) -> None:
    if document["rules_version"] != game.rules_version:
        version = str(document["rules_version"])[:20]
        raise ReplayError(
            None, f"rules version {version} of {game.name}; this engine has {game.rules_version}"
        )


def _played(document: Plain, position: Position) -> Position:
    for number, recorded in enumerate(document["plies"]):
        position = _recorded(position, number, recorded)
    if position.plies and len(position.game.legal_actions(position.state)) == 1:
        raise ReplayError(len(position.plies), "the forced ply is missing")
    return position


def _recorded(position: Position, number: int, recorded: Plain) -> Position:
    """Play one recorded ply; raises ReplayError."""
    if position.actor is None:
        raise ReplayError(number, "the game was over before")
    if recorded["seat"] != position.actor:
        raise ReplayError(number, f"seat {recorded['seat']} is not to move")
    try:
        position = referee.play(position, recorded["action"])
    except IllegalActionError as error:
        raise ReplayError(
            number, f"illegal action {error.action!r} of seat {error.seat}"
        ) from error
    if position.plies[-1].forced != recorded.get("forced", False):
        raise ReplayError(number, "wrong forced mark")
    return position


def _frame(position: Position, viewer: Viewer, last: Ply | None) -> Frame:
    game = position.game
    view: Any = game.view_to_plain(game.view(position.state, viewer))
    if last is None:
        return Frame(0, None, None, False, view, position.actor)
    action = game.event_notation(game.parse(last.action), last.seat, viewer, position.options)
    return Frame(len(position.plies), last.seat, action, last.forced, view, position.actor)
