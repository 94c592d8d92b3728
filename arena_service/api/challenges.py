"""ChallengeService."""

from __future__ import annotations

import grpc

from arena_service.access import Action, BotSubject, may
from arena_service.api import competitions, session
from arena_service.api.errors import forbidden
from arena_service.api.messages import match
from arena_service.api.paging import cut
from arena_service.api.tournament_messages import message, progress
from arena_service.quotas import Quotas
from arena_service.scheduling.challenges import challenge
from arena_service.store import deliveries, tournaments
from arena_service.store.challenges import Side, outcome
from arena_service.store.database import Database
from arena_service.store.progress import event_progress
from arena_service.store.states import now_utc
from interrex.arena.v1.challenge_service_pb2 import (
    ChallengeSide,
    CreateChallengeRequest,
    CreateChallengeResponse,
    ListChallengesRequest,
    ListChallengesResponse,
    ShowChallengeRequest,
    ShowChallengeResponse,
)
from interrex.arena.v1.challenge_service_pb2_grpc import ChallengeServiceServicer


class Challenges(ChallengeServiceServicer):
    """Challenges from their creation to their summary."""

    def __init__(self, db: Database, quotas: Quotas) -> None:
        """`quotas` bound how many an account makes."""
        self._db, self._quotas = db, quotas

    def CreateChallenge(
        self, request: CreateChallengeRequest, context: grpc.ServicerContext
    ) -> CreateChallengeResponse:
        """Let a bot of the caller's play against others."""
        owner = session.user()
        if not may(session.viewer(), Action.CREATE_CHALLENGE, None):
            raise forbidden("NO_CHALLENGES", f"{owner.name} may not challenge")
        bots = [competitions.own_bot(self._db, request.bot)]
        bots += [self._opponent(name) for name in request.opponents]
        row = challenge(
            self._db,
            owner.id,
            bots,
            now_utc(),
            request.game,
            competitions.options(request.options_json),
            request.pairs,
            competitions.limits(request.limits),
            webhook_url=request.webhook_url,
            quotas=self._quotas,
            asked=session.asked(request),
        )
        secret = deliveries.secret_of(self._db, row.id)
        return CreateChallengeResponse(challenge=message(row), webhook_secret=secret)

    def ShowChallenge(
        self, request: ShowChallengeRequest, context: grpc.ServicerContext
    ) -> ShowChallengeResponse:
        """What it came to so far."""
        seen = outcome(self._db, request.challenge)
        return ShowChallengeResponse(
            challenge=message(seen.challenge),
            progress=progress(event_progress(self._db, seen.challenge.event)),
            sides=map(_side, seen.sides),
            pentanomial=seen.pentanomial.counts if seen.pentanomial else (),
            matches=map(match, seen.matches),
        )

    def ListChallenges(
        self, request: ListChallengesRequest, context: grpc.ServicerContext
    ) -> ListChallengesResponse:
        """One page of the challenges, the newest first."""
        wanted = cut(request)
        found = tournaments.all_tournaments(self._db, wanted.limit, wanted.offset, challenges=True)
        page = wanted.page(found)
        return ListChallengesResponse(
            challenges=map(message, page.rows), next_page_token=page.next_token
        )

    def _opponent(self, name: str) -> str:
        """The id of a bot that the caller may challenge; raises ApiError."""
        row = competitions.any_bot(self._db, name)
        if not may(
            session.viewer(), Action.CHALLENGE_BOT, BotSubject(row.owner_id, row.challenges)
        ):
            raise forbidden("NOT_OPEN", f"{row.owner} lets nobody challenge {row.bot}")
        return row.bot_id


def _side(side: Side) -> ChallengeSide:
    return ChallengeSide(standing=competitions.standing(side.standing), points=side.points)
