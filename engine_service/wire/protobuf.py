"""Between plain values and the protobuf messages of `interrex.engine.v1`."""

from __future__ import annotations

from typing import Any

import msgspec

from engine_service.core.errors import RulesError
from engine_service.wire.encoding import to_json
from engine_service.wire.match import Match
from engine_service.wire.messages import Finished, GameInfo, MatchStart, Turn, Verdict
from interrex.engine.v1 import engine_service_pb2 as pb


def start_to_message(start: MatchStart) -> pb.MatchStart:
    """A start for the wire."""
    return pb.MatchStart(
        game=start.game,
        options=to_json(start.options),
        seats=start.seats,
        seed=start.seed,
        actions=start.actions,
        rules_version=start.rules_version,
    )


def start_from_message(message: pb.MatchStart) -> MatchStart:
    """A start from the wire; raises RulesError for options that are no JSON object."""
    return MatchStart(
        game=message.game,
        options=_object(message.options, "options"),
        seats=message.seats,
        seed=message.seed,
        actions=tuple(message.actions),
        rules_version=message.rules_version if message.HasField("rules_version") else None,
    )


def offer_to_message(match: Match) -> pb.PlayMatchResponse:
    """What the match offers now: a turn or the end."""
    offer = match.offer
    if isinstance(offer, Finished):
        finished = pb.Finished(
            replay=to_json(offer.replay), plies=offer.plies, spectator_view=match.spectator_view()
        )
        return pb.PlayMatchResponse(finished=finished)
    turn = pb.Turn(
        seat=offer.seat,
        turn=offer.turn,
        ply=offer.ply,
        view=offer.view,
        legal=offer.legal,
        ids=offer.ids,
        events=offer.events,
        teams=offer.teams,
    )
    return pb.PlayMatchResponse(turn=turn)


def offer_from_message(message: pb.PlayMatchResponse) -> Turn | Finished:
    """The inverse of `offer_to_message`; raises RulesError for any other answer."""
    kind = message.WhichOneof("message")
    if kind == "finished":
        return Finished(_object(message.finished.replay, "replay"), message.finished.plies)
    if kind != "turn":
        raise RulesError(f"message: expected a turn or the end, got {kind}")
    turn = message.turn
    return Turn(
        seat=turn.seat,
        turn=turn.turn,
        ply=turn.ply,
        view=turn.view,
        legal=list(turn.legal),
        ids=list(turn.ids),
        events=turn.events,
        teams=tuple(turn.teams),
    )


def game_to_message(game: GameInfo) -> pb.Game:
    """What is known of a game."""
    return pb.Game(
        name=game.name,
        title=game.title,
        rules_version=game.rules_version,
        seat_counts=game.seat_counts,
        max_plies=game.max_plies,
    )


def game_from_message(message: pb.Game) -> GameInfo:
    """The inverse of `game_to_message`."""
    counts = tuple(message.seat_counts)
    return GameInfo(message.name, message.title, message.rules_version, counts, message.max_plies)


def verdict_to_message(verdict: Verdict) -> pb.VerifyReplayResponse:
    """A verdict for the wire."""
    return pb.VerifyReplayResponse(
        ok=verdict.ok,
        game=clean(verdict.game),
        plies=verdict.plies,
        digest=verdict.digest,
        problem=clean(verdict.problem),
        ply=verdict.ply,
    )


def verdict_from_message(message: pb.VerifyReplayResponse) -> Verdict:
    """The inverse of `verdict_to_message`."""
    ply = message.ply if message.HasField("ply") else None
    return Verdict(message.ok, message.game, message.plies, message.digest, message.problem, ply)


def frame_to_message(frame: dict[str, Any]) -> pb.WalkReplayResponse:
    """A frame of a replay."""
    return pb.WalkReplayResponse(**{**frame, "view": to_json(frame["view"])})


def frame_from_message(message: pb.WalkReplayResponse) -> dict[str, Any]:
    """The inverse of `frame_to_message`."""
    return {
        "ply": message.ply,
        "seat": message.seat if message.HasField("seat") else None,
        "action": message.action if message.HasField("action") else None,
        "forced": message.forced,
        "view": _object(message.view, "view"),
        "actor": message.actor if message.HasField("actor") else None,
    }


def position_from_message(message: pb.PositionResponse) -> dict[str, Any]:
    """The position as a plain object."""
    return _object(message.position, "position")


def clean(text: str) -> str:
    """Text that UTF-8 can carry: lone surrogates become question marks."""
    return text.encode(errors="replace").decode()


def _object(data: bytes, field: str) -> dict[str, Any]:
    """The JSON object of a field; nothing at all reads as an empty one."""
    try:
        value = msgspec.json.decode(data) if data else {}
    except (msgspec.DecodeError, RecursionError) as error:
        raise RulesError(f"{field}: expected JSON, {error}") from error
    if not isinstance(value, dict):
        raise RulesError(f"{field}: expected a JSON object")
    return value
