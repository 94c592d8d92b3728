"""Assignments and outcomes as they travel; both sides of the connection translate here."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.message import DecodeError

from arena_service.work import AcceptedOutcome, Assignment, PlannedMatch
from engine_service.core import replay as replay_file
from interrex.arena.v1 import work_service_pb2 as pb

CHUNK_BYTES = 2**18
MAX_OUTCOME_BYTES = 64 * 2**20
MAX_REPLAY_TEXT = 2 * replay_file.MAX_BYTES


class MessageError(ValueError):
    """What came is no outcome; the message says what was expected."""


def assignment_to_message(assignment: Assignment, token: str) -> pb.Assignment:
    """A leased series, with the token of its lease."""
    return pb.Assignment(
        lease=pb.Lease(series=assignment.series, fence=assignment.fence, token=token),
        event=assignment.event,
        matches=[
            _match_to_message(match, assignment.attempts[match.match_id])
            for match in assignment.matches
        ],
        programs=[
            pb.Program(version_id=version, sha256=sha256, run=run)
            for version, (sha256, run) in assignment.artifacts.items()
        ],
        limits=assignment.limits,
    )


def assignment_from_message(message: pb.Assignment) -> Assignment:
    """The same without the token."""
    return Assignment(
        series=message.lease.series,
        fence=message.lease.fence,
        attempts={match.match_id: match.attempt_id for match in message.matches},
        event=message.event,
        matches=[_match_from_message(match) for match in message.matches],
        artifacts={each.version_id: (each.sha256, list(each.run)) for each in message.programs},
        limits=dict(message.limits),
    )


def outcome_to_bytes(outcome: AcceptedOutcome) -> bytes:
    """An Outcome, serialised."""
    message = pb.Outcome(
        match_id=outcome.match_id,
        replay=json.dumps(outcome.replay).encode(),
        seat_cpu_ms=outcome.seat_cpu_ms,
        records=[_record_to_message(item) for item in outcome.evidence],
    )
    return message.SerializeToString()


def outcome_from_bytes(data: bytes) -> AcceptedOutcome:
    """What a worker posts, whether it fits the plan or not; raises MessageError."""
    try:
        message = pb.Outcome.FromString(data)
    except DecodeError as error:
        raise MessageError("expected the bytes of one Outcome") from error
    if len(message.replay) > MAX_REPLAY_TEXT:
        raise MessageError(f"replay: expected at most {replay_file.MAX_BYTES} bytes")
    try:
        replay = json.loads(message.replay)
    except (ValueError, RecursionError) as error:
        raise MessageError("replay: expected a JSON document") from error
    if not isinstance(replay, dict):
        raise MessageError("replay: expected a JSON object")
    return AcceptedOutcome(
        match_id=message.match_id,
        replay=replay,
        seat_cpu_ms=list(message.seat_cpu_ms),
        evidence=[_record_from_message(record) for record in message.records],
    )


def _match_to_message(match: PlannedMatch, attempt: str) -> pb.AssignedMatch:
    return pb.AssignedMatch(
        match_id=match.match_id,
        attempt_id=attempt,
        game=match.game,
        rules_version=match.rules_version,
        options_json=json.dumps(match.options),
        seats=match.seats,
        seed=match.seed,
        leg=match.leg,
        pair=match.pair,
        players=match.players,
        bot_seeds=match.bot_seeds,
        voided=match.voided,
    )


def _match_from_message(message: pb.AssignedMatch) -> PlannedMatch:
    return PlannedMatch(
        match_id=message.match_id,
        game=message.game,
        rules_version=message.rules_version,
        options=json.loads(message.options_json),
        seats=message.seats,
        seed=message.seed,
        leg=message.leg,
        pair=message.pair,
        players=list(message.players),
        bot_seeds=tuple(message.bot_seeds),
        voided=dict(message.voided),
    )


def _record_to_message(item: dict[str, Any]) -> pb.SeatRecord:
    return pb.SeatRecord(
        seat=item["seat"],
        limit=item["limit"],
        used_ms=item.get("used_ms"),
        start_cpu_ms=item.get("start_cpu_ms"),
        peak_bytes=item.get("peak_bytes"),
        last_view=item.get("last_view", ""),
        last_line=item.get("last_line", ""),
        stderr_tail=item.get("stderr_tail", ""),
        cpu_per_ply=item.get("cpu_per_ply"),
        wall_per_ply=item.get("wall_per_ply"),
        notes=[pb.PlyNote(ply=ply, text=text) for ply, text in item.get("notes", ())],
    )


def _record_from_message(record: pb.SeatRecord) -> dict[str, Any]:
    return {
        "seat": record.seat,
        "limit": record.limit,
        "used_ms": record.used_ms if record.HasField("used_ms") else None,
        "start_cpu_ms": record.start_cpu_ms if record.HasField("start_cpu_ms") else None,
        "peak_bytes": record.peak_bytes if record.HasField("peak_bytes") else None,
        "last_view": record.last_view,
        "last_line": record.last_line,
        "stderr_tail": record.stderr_tail,
        "cpu_per_ply": list(record.cpu_per_ply),
        "wall_per_ply": list(record.wall_per_ply),
        "notes": [[note.ply, note.text] for note in record.notes],
    }
