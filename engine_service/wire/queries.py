"""Questions about games, positions and replays that need no match in play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine_service import catalogue
from engine_service.core import replay
from engine_service.core.errors import ReplayError
from engine_service.wire.encoding import legal_notations, parse_viewer
from engine_service.wire.match import opened
from engine_service.wire.messages import GameInfo, MatchStart, Verdict


def games() -> list[GameInfo]:
    """All installed games, our own first."""
    found = map(catalogue.game, catalogue.names())
    return [
        GameInfo(game.name, game.title, game.rules_version, game.seat_counts, game.max_plies)
        for game in found
    ]


def read(data: bytes) -> dict[str, Any]:
    """The document of a replay of reasonable size; raises ReplayError."""
    if len(data) > replay.MAX_BYTES:
        raise ReplayError(None, f"a replay of {len(data)} bytes; {replay.MAX_BYTES} are the limit")
    return replay.read(data)


def walk(data: bytes, viewer: str) -> Iterator[dict[str, Any]]:
    """The frames of a replay for a viewer: after the deal, then after every ply."""
    yield from frames(read(data), viewer)


def frames(document: dict[str, Any], viewer: str) -> Iterator[dict[str, Any]]:
    """The same for a document that was read."""
    seen_by = parse_viewer(viewer, document["seats"])
    for frame in replay.frames(document, catalogue.game(document["game"]), seen_by):
        yield {
            "ply": frame.ply,
            "seat": frame.seat,
            "action": frame.action,
            "forced": frame.forced,
            "view": frame.view,
            "actor": frame.actor,
        }


def verify(data: bytes) -> Verdict:
    """Play a replay again and compare everything; never raises for what the file holds."""
    try:
        document = read(data)
    except ReplayError as error:
        return Verdict(False, "", 0, "", error.cause, error.ply)
    game, plies, digest = document["game"], len(document["plies"]), document["digest"]
    try:
        replay.verify(document, catalogue.game)
    except ReplayError as error:
        return Verdict(False, game, plies, digest, error.cause, error.ply)
    return Verdict(True, game, plies, digest, "", None)


def position(start: MatchStart, viewer: str) -> dict[str, Any]:
    """A position as the viewer may see it; legal actions only for the seat to move and `all`."""
    now = opened(start)
    seen_by = parse_viewer(viewer, now.seats)
    knows = seen_by in ("all", now.actor)
    ids = now.game.legal_actions(now.state) if knows else []
    return {
        "ply": len(now.plies),
        "actor": now.actor,
        "view": now.game.view_to_plain(now.game.view(now.state, seen_by)),
        "legal": legal_notations(now.game, ids),
        "ids": ids,
    }
