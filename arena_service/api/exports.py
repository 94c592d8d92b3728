"""ExportService: competitions that have ended, as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import grpc

from arena_service.access import Action, EventSubject, may
from arena_service.api import session
from arena_service.api.errors import invalid, not_yet
from arena_service.api.room import Room
from arena_service.audit import documents
from arena_service.audit.files import written
from arena_service.store import exports
from arena_service.store.database import Database
from arena_service.store.states import ENDED
from interrex.arena.v1.export_service_pb2 import (
    ExportLadderRequest,
    ExportLadderResponse,
    ExportTournamentRequest,
    ExportTournamentResponse,
)
from interrex.arena.v1.export_service_pb2_grpc import ExportServiceServicer

AT_ONCE = 2
SECONDS = 600.0  # who has not read it all by then is cut off


class Exports(ExportServiceServicer):
    """Files are made while they are sent: none is kept in memory as a whole."""

    def __init__(self, db: Database) -> None:
        """Keep the database."""
        self._db, self._room = db, Room("exports", AT_ONCE, SECONDS)

    def ExportTournament(
        self, request: ExportTournamentRequest, context: grpc.ServicerContext
    ) -> Iterator[ExportTournamentResponse]:
        """A tournament."""
        with self._room.place(context):
            lines = exports.of_tournament(self._db, request.tournament)
            for chunk in written(_public(lines)):
                yield ExportTournamentResponse(chunk=chunk)

    def ExportLadder(
        self, request: ExportLadderRequest, context: grpc.ServicerContext
    ) -> Iterator[ExportLadderResponse]:
        """Slots of a ladder."""
        if request.slot < 0:
            raise invalid("BAD_VALUE", "slot", "slot: expected 1 or more, or 0 for all of them")
        with self._room.place(context):
            lines = exports.of_ladder(self._db, request.ladder, request.slot)
            for chunk in written(_public(lines)):
                yield ExportLadderResponse(chunk=chunk)


def _public(lines: Iterable[documents.Line]) -> Iterator[documents.Line]:
    """The lines, as far as the caller may see the keys of their events; raises ApiError."""
    for line in lines:
        if isinstance(line, documents.Event):
            ended = EventSubject(line.state in ENDED)
            if not may(session.viewer(), Action.SEE_KEY, ended):
                raise not_yet("EVENT_RUNS", "an event can be exported when it has ended")
        yield line
