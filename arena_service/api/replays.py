"""ReplayService: matches, their replays, and the evidence of one's own bots."""

from __future__ import annotations

from datetime import datetime

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from arena_service.access import Action, MatchSubject, SeatSubject, may
from arena_service.api import session
from arena_service.api.errors import invalid, not_yet
from arena_service.store import ladders, queries
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from interrex.arena.v1.replay_service_pb2 import (
    Evidence,
    GetMatchRequest,
    GetMatchResponse,
    GetReplayRequest,
    GetReplayResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    Match,
    Note,
    Player,
)
from interrex.arena.v1.replay_service_pb2_grpc import ReplayServiceServicer

DEFAULT_PAGE = 50
MAX_PAGE = 200


class Replays(ReplayServiceServicer):
    """What was played."""

    def __init__(self, db: Database) -> None:
        """Keep the database."""
        self._db = db

    def GetReplay(
        self, request: GetReplayRequest, context: grpc.ServicerContext
    ) -> GetReplayResponse:
        """The replay file, when it may be seen."""
        detail = queries.match_detail(self._db, request.match_id)
        if not may(session.viewer(), Action.SEE_REPLAY, MatchSubject(detail.pair_complete)):
            raise not_yet(
                "PAIR_INCOMPLETE", "a replay is public when every leg of its pair has a result"
            )
        replay = queries.replay(self._db, request.match_id)
        if replay is None:
            raise NotFoundError("replay", request.match_id)
        return GetReplayResponse(replay=replay)

    def ListMatches(
        self, request: ListMatchesRequest, context: grpc.ServicerContext
    ) -> ListMatchesResponse:
        """One page of matches."""
        ladder = ladders.show(self._db, request.ladder).id if request.ladder else None
        size, offset = _page_size(request.page_size), _offset(request.page_token)
        # One more than is shown tells whether there is another page.
        rows = queries.matches(self._db, ladder, size + 1, offset)
        return ListMatchesResponse(
            matches=[_message(row) for row in rows[:size]],
            next_page_token=str(offset + size) if len(rows) > size else "",
        )

    def GetMatch(self, request: GetMatchRequest, context: grpc.ServicerContext) -> GetMatchResponse:
        """A match, with what the caller may see of it."""
        detail = queries.match_detail(self._db, request.match_id)
        answer = GetMatchResponse(match=_message(detail.match))
        viewer, complete = session.viewer(), detail.pair_complete
        if may(viewer, Action.SEE_SEED, MatchSubject(complete)):
            answer.seed, answer.digest = detail.seed, detail.digest or ""
        for row in detail.evidence:
            if may(viewer, Action.SEE_EVIDENCE, SeatSubject(row.owner_id, complete)):
                answer.evidence.append(_evidence(row))
        return answer


def _page_size(wanted: int) -> int:
    if not 0 <= wanted <= MAX_PAGE:
        raise invalid("BAD_VALUE", "page_size", f"page_size: expected 0 to {MAX_PAGE}")
    return wanted or DEFAULT_PAGE


def _offset(token: str) -> int:
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise invalid("BAD_VALUE", "page_token", "page_token: expected one from an answer before")
    return int(token or 0)


def _message(row: queries.MatchRow) -> Match:
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
        finished_at=_instant(row.finished_at),
    )


def _player(row: queries.PlayerRow) -> Player:
    return Player(
        bot=row.bot,
        owner=row.owner,
        version=row.version,
        version_id=row.version_id,
        rank=row.rank,
        credit=row.credit,
        cpu_ms=row.cpu_ms,
    )


def _instant(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    instant = Timestamp()
    instant.FromDatetime(moment)
    return instant


def _evidence(row: queries.EvidenceRow) -> Evidence:
    return Evidence(
        seat=row.seat,
        limit=row.limit,
        used_ms=row.used_ms,
        last_view=row.last_view,
        last_line=row.last_line,
        stderr_tail=row.stderr_tail,
        cpu_ms_per_ply=row.cpu_per_ply,
        notes=[Note(ply=ply, text=text) for ply, text in row.notes],
    )
