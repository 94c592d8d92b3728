"""Whether a document has the shape of a replay, whatever the game."""

from __future__ import annotations

from typing import Any

from engine_service.core.errors import ReplayError

HEX_DIGITS = frozenset("0123456789abcdef")
HEX_LENGTH = 64

_TYPES: dict[str, type] = {
    "format": str,
    "game": str,
    "rules_version": int,
    "options": dict,
    "seats": int,
    "seed": str,
    "deal": dict,
    "players": list,
    "plies": list,
    "result": dict,
    "digest": str,
}
_PLAYER_TYPES: dict[str, type] = {"bot": str, "version": int}
_RESULT_KEYS = ("ending", "at_fault", "ranks", "score")


def check_shape(document: Any, form: str) -> None:
    """Raise ReplayError unless all keys are there with values of their kind."""
    if not isinstance(document, dict):
        raise ReplayError(None, "a replay is a JSON object")
    if document.get("format") != form:
        raise ReplayError(None, f"format is {str(document.get('format'))[:40]!r}, not {form!r}")
    for key, kind in _TYPES.items():
        if type(document.get(key)) is not kind:
            raise ReplayError(None, f"{key} is missing or not of its kind")
    for key in ("seed", "digest"):
        if len(document[key]) != HEX_LENGTH or not HEX_DIGITS.issuperset(document[key]):
            raise ReplayError(None, f"{key} is not {HEX_LENGTH} lower-case hexadecimal digits")
    for number, ply in enumerate(document["plies"]):
        _check_ply(number, ply)
    _check_players(document["players"], document["seats"])
    _check_teams(document.get("teams"), document["seats"])
    _check_result(document["result"])


def _check_ply(number: int, ply: Any) -> None:
    if not isinstance(ply, dict):
        raise ReplayError(number, "a ply is a JSON object")
    if type(ply.get("seat")) is not int or not isinstance(ply.get("action"), str):
        raise ReplayError(number, "a ply has a seat and an action")
    if ply.get("forced", True) is not True:
        raise ReplayError(number, "forced is true or left out")


def _check_players(players: list[Any], seats: int) -> None:
    """Who played by seat; empty where nobody has written that down."""
    if players and len(players) != seats:
        raise ReplayError(None, f"players is empty or has one for each of the {seats} seats")
    for seat, player in enumerate(players):
        if not isinstance(player, dict):
            raise ReplayError(None, f"players[{seat}] is not a JSON object")
        for key, kind in _PLAYER_TYPES.items():
            if type(player.get(key)) is not kind:
                raise ReplayError(None, f"players[{seat}].{key} is missing or not of its kind")


def _check_teams(teams: Any, seats: int) -> None:
    """None where each seat is alone, else a team for each, two different ones at least."""
    if teams is None:
        return
    numbers = isinstance(teams, list) and all(type(team) is int for team in teams)
    if not numbers or len(teams) != seats or len(set(teams)) < 2:
        raise ReplayError(None, "teams is a list with the team of every seat, or left out")


def _check_result(result: dict[str, Any]) -> None:
    for key in _RESULT_KEYS:
        if key not in result:
            raise ReplayError(None, f"the result lacks {key}")
    if set(result) - set(_RESULT_KEYS):
        raise ReplayError(None, "the result has a key that is not of the format")
    if not isinstance(result["ending"], str):
        raise ReplayError(None, "the ending is a word")
    if result["at_fault"] is not None and type(result["at_fault"]) is not int:
        raise ReplayError(None, "at_fault is a seat or null")
