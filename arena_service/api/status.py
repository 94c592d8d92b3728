"""StatusService: how the arena is doing; who it runs on is told to members alone."""

from __future__ import annotations

from dataclasses import replace

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from arena_service.access import Action, may
from arena_service.api import session
from arena_service.status import report
from arena_service.status.probes import Probes
from arena_service.status.reports import Reports
from arena_service.store.database import Database
from interrex.arena.v1.status_service_pb2 import (
    CauseCount,
    GetStatusRequest,
    GetStatusResponse,
    Process,
    Queue,
    RunningMatch,
)
from interrex.arena.v1.status_service_pb2_grpc import StatusServiceServicer


class Status(StatusServiceServicer):
    """One report for everybody, shorter for spectators."""

    def __init__(self, db: Database, probes: Probes) -> None:
        """`probes` asks the services that keep no row in `db`."""
        self._reports, self._probes = Reports(db), probes

    def GetStatus(
        self, request: GetStatusRequest, context: grpc.ServicerContext
    ) -> GetStatusResponse:
        """Queue, running matches, faults; for members processes and details of failures."""
        status, viewer = self._reports.newest(), session.viewer()
        if may(viewer, Action.SEE_PROCESSES, None):  # nobody else makes the arena ask around
            status = replace(status, processes=(*status.processes, *self._probes.rows()))
        return to_message(status.seen_by(viewer))


def to_message(status: report.Status) -> GetStatusResponse:
    """The report as it travels."""
    return GetStatusResponse(
        queue=_queue(status.queue),
        running=[
            RunningMatch(
                match=each.match_id,
                competition=each.competition,
                ply=each.ply,
                seconds=each.seconds,
            )
            for each in status.running
        ],
        causes=[CauseCount(**vars(each)) for each in status.causes],
        processes=[_process(each) for each in status.processes],
    )


def _queue(queue: report.Queue) -> Queue:
    return Queue(
        series_waiting=queue.series_waiting,
        series_leased=queue.series_leased,
        matches_waiting=queue.matches_waiting,
        oldest_seconds=queue.oldest_seconds,
        tick_seconds=queue.tick_seconds,
        matches_last_minute=queue.matches_last_minute,
    )


def _process(row: report.ProcessRow) -> Process:
    message = Process(
        kind=row.kind,
        host=row.host,
        pid=row.pid,
        seen_seconds=row.seen_seconds,
        detail=row.detail,
        restarts=row.restarts,
    )
    if row.started_at is not None:
        started = Timestamp()
        started.FromDatetime(row.started_at)
        message.started_at.CopyFrom(started)
    return message
