"""LadderService."""

from __future__ import annotations

import json

import grpc

from arena_service.access import Action, EventSubject, LadderSubject, may
from arena_service.api import competitions, session
from arena_service.api.errors import forbidden
from arena_service.api.messages import instant
from arena_service.api.paging import cut
from arena_service.store import ladders, queries
from arena_service.store.database import Database
from interrex.arena.v1.ladder_service_pb2 import (
    CreateLadderRequest,
    CreateLadderResponse,
    EnterLadderRequest,
    EnterLadderResponse,
    Ladder,
    LeaveLadderRequest,
    LeaveLadderResponse,
    Limits,
    ListLaddersRequest,
    ListLaddersResponse,
    ListSlotsRequest,
    ListSlotsResponse,
    RunLadderNowRequest,
    RunLadderNowResponse,
    ShowLadderRequest,
    ShowLadderResponse,
    Slot,
)
from interrex.arena.v1.ladder_service_pb2_grpc import LadderServiceServicer

DEFAULT_CRON = "0 * * * *"
DEFAULT_TIMEZONE = "UTC"


class Ladders(LadderServiceServicer):
    """Ladders, their entries and their standings."""

    def __init__(self, db: Database) -> None:
        """Keep the database."""
        self._db = db

    def CreateLadder(
        self, request: CreateLadderRequest, context: grpc.ServicerContext
    ) -> CreateLadderResponse:
        """Make a ladder that belongs to the caller."""
        owner = session.user()
        if not may(session.viewer(), Action.CREATE_LADDER, None):
            raise forbidden("NO_LADDERS", f"{owner.name} may not create ladders")
        row = ladders.create_ladder(
            self._db,
            owner.id,
            request.name,
            request.game,
            competitions.options(request.options_json),
            request.seats,
            request.cron or DEFAULT_CRON,
            request.timezone or DEFAULT_TIMEZONE,
            request.pairs_per_slot,
            competitions.limits(request.limits),
            asked=session.asked(request),
        )
        return CreateLadderResponse(ladder=_message(row))

    def EnterLadder(
        self, request: EnterLadderRequest, context: grpc.ServicerContext
    ) -> EnterLadderResponse:
        """Enter one of the caller's bots."""
        entered = ladders.enter(
            self._db, request.ladder, competitions.own_bot(self._db, request.bot)
        )
        return EnterLadderResponse(
            version_id=entered.version_id, version=entered.version, state=entered.state
        )

    def LeaveLadder(
        self, request: LeaveLadderRequest, context: grpc.ServicerContext
    ) -> LeaveLadderResponse:
        """Take one of the caller's bots out."""
        ladders.leave(self._db, request.ladder, competitions.own_bot(self._db, request.bot))
        return LeaveLadderResponse()

    def RunLadderNow(
        self, request: RunLadderNowRequest, context: grpc.ServicerContext
    ) -> RunLadderNowResponse:
        """Make the next slot due."""
        session.user()
        row = ladders.show(self._db, request.ladder)
        if not may(session.viewer(), Action.RUN_LADDER, LadderSubject(row.owner_id)):
            raise forbidden("NOT_YOUR_LADDER", f"only {row.owner} may run {row.name}")
        return RunLadderNowResponse(ladder=_message(ladders.run_now(self._db, row.id)))

    def ShowLadder(
        self, request: ShowLadderRequest, context: grpc.ServicerContext
    ) -> ShowLadderResponse:
        """A ladder and its standings."""
        row = ladders.show(self._db, request.ladder)
        standings = queries.standings(self._db, row.id)
        return ShowLadderResponse(
            ladder=_message(row),
            standings=map(competitions.standing, standings.rows),
            pairs_planned=standings.pairs_planned,
            pairs_done=standings.pairs_done,
        )

    def ListLadders(
        self, request: ListLaddersRequest, context: grpc.ServicerContext
    ) -> ListLaddersResponse:
        """One page of the ladders, by name."""
        wanted = cut(request)
        page = wanted.page(ladders.all_ladders(self._db, wanted.limit, wanted.offset))
        return ListLaddersResponse(
            ladders=map(_message, page.rows), next_page_token=page.next_token
        )

    def ListSlots(
        self, request: ListSlotsRequest, context: grpc.ServicerContext
    ) -> ListSlotsResponse:
        """Commitments of all slots, keys of the complete ones."""
        row = ladders.show(self._db, request.ladder)
        return ListSlotsResponse(slots=map(_slot, queries.events(self._db, row.id)))


def _slot(row: queries.EventRow) -> Slot:
    complete = row.completed_at is not None and row.key is not None
    public = may(session.viewer(), Action.SEE_KEY, EventSubject(complete))
    return Slot(
        event=row.id,
        number=row.slot,
        state=row.state,
        commitment=row.commitment,
        entrants_digest=row.entrants_digest or "",
        key=row.key.hex() if public and row.key is not None else "",
    )


def _message(row: ladders.LadderRow) -> Ladder:
    return Ladder(
        id=row.id,
        name=row.name,
        owner=row.owner,
        game=row.game,
        options_json=json.dumps(row.options),
        seats=row.seats,
        cron=row.cron,
        timezone=row.timezone,
        pairs_per_slot=row.pairs_per_slot,
        limits=Limits(**row.limits),
        slot=row.slot,
        next_due=instant(row.next_due),
        commitment=row.commitment,
        entrants=row.entrants,
        final=row.final,
    )
