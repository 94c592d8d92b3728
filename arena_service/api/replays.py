"""ReplayService: matches, their replays, and the evidence of one's own bots."""

from __future__ import annotations

import grpc

from arena_service.access import Action, may
from arena_service.api import messages, session
from arena_service.api.errors import invalid, not_yet
from arena_service.api.paging import cut
from arena_service.store import ladders, queries, tournaments
from arena_service.store.database import Database
from arena_service.store.errors import NotFoundError
from arena_service.store.match_search import MatchSearch, search
from interrex.arena.v1.replay_service_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    GetReplayRequest,
    GetReplayResponse,
    ListMatchesRequest,
    ListMatchesResponse,
)
from interrex.arena.v1.replay_service_pb2_grpc import ReplayServiceServicer


class Replays(ReplayServiceServicer):
    """What was played."""

    def __init__(self, db: Database) -> None:
        """Keep the database."""
        self._db = db

    def GetReplay(
        self, request: GetReplayRequest, context: grpc.ServicerContext
    ) -> GetReplayResponse:
        """The replay file, when it may be seen."""
        detail = self._visible(request.match_id)
        if not may(session.viewer(), Action.SEE_REPLAY, messages.subject(detail)):
            raise not_yet(
                "PAIR_INCOMPLETE",
                "a replay is public when every leg of its pair has a result; try again then",
            )
        replay = queries.replay(self._db, request.match_id)
        if replay is None:
            raise NotFoundError("replay", request.match_id)
        return GetReplayResponse(replay=replay)

    def ListMatches(
        self, request: ListMatchesRequest, context: grpc.ServicerContext
    ) -> ListMatchesResponse:
        """One page of matches."""
        if request.ladder and request.tournament:
            raise invalid("BAD_VALUE", "tournament", "tournament: expected none beside a ladder")
        ladder = ladders.show(self._db, request.ladder).id if request.ladder else None
        named = request.tournament
        tournament = tournaments.show(self._db, named).id if named else None
        narrowed, wanted = MatchSearch(ladder=ladder, tournament=tournament), cut(request)
        page = wanted.page(search(self._db, narrowed, wanted.limit, wanted.offset))
        return ListMatchesResponse(
            matches=map(messages.match, page.rows), next_page_token=page.next_token
        )

    def GetMatch(self, request: GetMatchRequest, context: grpc.ServicerContext) -> GetMatchResponse:
        """A match, with what the caller may see of it."""
        detail = self._visible(request.match_id)
        answer = GetMatchResponse(match=messages.match(detail.match))
        if may(session.viewer(), Action.SEE_SEED, messages.subject(detail)):
            answer.seed, answer.digest = detail.seed, detail.digest or ""
        answer.evidence.extend(messages.evidence(detail, session.viewer()))
        return answer

    def _visible(self, match_id: str) -> queries.MatchDetail:
        """The match; one that the caller may not know of is not found."""
        detail = queries.match_detail(self._db, match_id)
        if not may(session.viewer(), Action.WATCH, messages.subject(detail)):
            raise NotFoundError("match", match_id)
        return detail
