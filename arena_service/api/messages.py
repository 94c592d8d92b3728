"""Rows of the store as messages that more than one service sends."""

from __future__ import annotations

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from arena_service.access import Action, BotSubject, MatchSubject, SeatSubject, Viewer, may
from arena_service.store.bots import BotVersionRow
from arena_service.store.match_rows import MatchRow, PlayerRow
from arena_service.store.queries import EvidenceRow, MatchDetail
from arena_service.store.states import VersionState
from interrex.arena.v1.bot_service_pb2 import BotVersion
from interrex.arena.v1.replay_service_pb2 import Evidence, Match, Note, Player

INACTIVE = "inactive"


def instant(moment: datetime | None) -> Timestamp | None:
    """A point in time; None stays absent."""
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def version(row: BotVersionRow) -> BotVersion:
    """A version with its state; `reason` is for its owner."""
    return BotVersion(
        id=row.id,
        owner=row.owner,
        bot=row.bot,
        version=row.version,
        sha256=row.sha256,
        games=row.games,
        state=row.state,
        reason=row.reason,
        submitted_at=instant(row.created_at),
        challenges=row.challenges,
    )


def version_for(row: BotVersionRow, viewer: Viewer) -> BotVersion:
    """A version as `viewer` may know it: why one does not play is nobody's but its owner's."""
    whole = version(row)
    if not may(viewer, Action.SEE_BOT, BotSubject(row.owner_id)):
        whole.state = row.state if row.state == VersionState.ACTIVE else INACTIVE
        whole.sha256 = whole.reason = ""
    return whole


def match(row: MatchRow) -> Match:
    """A match as lists show it."""
    return Match(
        id=row.id,
        event=row.event,
        pair=row.pair,
        leg=row.leg,
        game=row.game,
        state=row.state,
        ending=row.ending or "",
        at_fault=row.at_fault,
        players=[_player(player) for player in row.players],
        plies=row.plies,
        finished_at=instant(row.finished_at),
        kind=row.kind,
    )


def subject(detail: MatchDetail) -> MatchSubject:
    """What `access.may` asks of a match."""
    return MatchSubject(detail.pair_complete, detail.private_to)


def evidence(detail: MatchDetail, viewer: Viewer) -> list[Evidence]:
    """What the viewer may see of what was kept, by seat."""
    complete = detail.pair_complete
    return [
        _evidence(row)
        for row in detail.evidence
        if may(viewer, Action.SEE_EVIDENCE, SeatSubject(row.owner_id, complete))
    ]


def _player(row: PlayerRow) -> Player:
    return Player(
        bot=row.bot,
        owner=row.owner,
        version=row.version,
        version_id=row.version_id,
        rank=row.rank,
        credit=row.credit,
        cpu_ms=row.cpu_ms,
    )


def _evidence(row: EvidenceRow) -> Evidence:
    return Evidence(
        seat=row.seat,
        limit=row.limit,
        used_ms=row.used_ms,
        last_view=row.last_view,
        last_line=row.last_line,
        stderr_tail=row.stderr_tail,
        cpu_ms_per_ply=row.cpu_per_ply,
        notes=[Note(ply=ply, text=text) for ply, text in row.notes],
        start_cpu_ms=row.start_cpu_ms,
        peak_bytes=row.peak_bytes,
        wall_ms_per_ply=row.wall_per_ply,
    )
