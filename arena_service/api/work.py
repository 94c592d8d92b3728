"""WorkService: the work of an arena for workers that show a token instead of a password."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import grpc

from arena_service.api.errors import forbidden, invalid, unauthenticated, unavailable
from arena_service.api.room import Room
from arena_service.remote.calls import LEASE_REASON, TOKEN_METADATA
from arena_service.remote.messages import (
    MAX_OUTCOME_BYTES,
    MessageError,
    assignment_to_message,
    outcome_from_bytes,
)
from arena_service.status import heartbeat
from arena_service.store import artifacts, worker_tokens
from arena_service.store.database import Database
from arena_service.store.states import now_utc
from arena_service.store.tables import Process
from arena_service.store.work_store import StoreWork
from arena_service.store.worker_tokens import Worker
from arena_service.work import POLLING, WOKEN, Late, WorkUnavailable, slot_name
from engine_service.logs import get_logger
from interrex.arena.v1 import work_service_pb2 as pb
from interrex.arena.v1.work_service_pb2_grpc import WorkServiceServicer

CHUNK_BYTES = 2**20
POSTS_AT_ONCE = 8
FETCHES_AT_ONCE = 4
TRANSFER_SECONDS = 60.0
MOST_NAMED = 1000
MAX_DETAIL = 200
_ID = re.compile(r"[0-9a-f]{32}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,100}")

log = get_logger("interrex.work")


class Workers(WorkServiceServicer):
    """What `StoreWork` does, done for a worker that showed its token and names its lease."""

    def __init__(self, db: Database, work: StoreWork, seconds: float = TRANSFER_SECONDS) -> None:
        """`work` is the door to `db`; a post or fetch that takes longer than `seconds` is cut."""
        self._db, self._work = db, work
        self._posts = Room("results", POSTS_AT_ONCE, seconds)
        self._fetches = Room("downloads for workers", FETCHES_AT_ONCE, seconds)

    def LeaseSeries(
        self, request: pb.LeaseSeriesRequest, context: grpc.ServicerContext
    ) -> pb.LeaseSeriesResponse:
        """Lease under the worker's name; what the slot was told in vain goes back first."""
        worker = self._worker(context)
        slot = slot_name(_host(worker, request.slot), request.slot.pid)
        _bounded("held", len(request.held))
        with _answering():
            self._work.take_back(slot, {(each.series, each.fence) for each in request.held})
            found = self._work.lease(slot)
        if found is None:
            return pb.LeaseSeriesResponse()
        token = worker.sign(found.series, found.fence)
        return pb.LeaseSeriesResponse(assignment=assignment_to_message(found, token))

    def ReportProgress(
        self, request: pb.ReportProgressRequest, context: grpc.ServicerContext
    ) -> pb.ReportProgressResponse:
        """Renew the lease."""
        lease = self._lease(request.lease, context)
        _bounded("plies", len(request.plies))
        _ids("plies", request.plies)
        with _answering():
            held = self._work.progress(lease.series, lease.fence, dict(request.plies))
        return pb.ReportProgressResponse(held=held)

    def PostOutcome(
        self, request_iterator: Iterator[pb.PostOutcomeRequest], context: grpc.ServicerContext
    ) -> pb.PostOutcomeResponse:
        """Collect an outcome for a lease that was given, and accept it once."""
        first = next(request_iterator, None)
        if first is None or first.WhichOneof("part") != "lease":
            raise invalid("LEASE_FIRST", "lease", "the first message must be the lease")
        lease = self._lease(first.lease, context)
        with self._posts.place(context):
            body = _collect(request_iterator)
            try:
                outcome = outcome_from_bytes(body)
            except MessageError as error:
                raise invalid("BAD_OUTCOME", "chunk", str(error)) from error
            _ids("match_id", [outcome.match_id])
            with _answering():
                accepted = self._work.accept(lease.series, lease.fence, outcome)
        return pb.PostOutcomeResponse(accepted=accepted)

    def GiveBack(
        self, request: pb.GiveBackRequest, context: grpc.ServicerContext
    ) -> pb.GiveBackResponse:
        """Give the unfinished matches back."""
        lease = self._lease(request.lease, context)
        late = Late(request.late.match_id, request.late.seat) if request.HasField("late") else None
        _ids("late.match_id", [late.match_id] if late else [])
        detail = _storable(request.detail)
        with _answering():
            self._work.fail(lease.series, lease.fence, request.cause, detail, late)
        return pb.GiveBackResponse()

    def FetchArtifact(
        self, request: pb.FetchArtifactRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.FetchArtifactResponse]:
        """The archive of a bot that plays in the leased series; no other one."""
        lease = self._lease(request.lease, context)
        if not _SHA256.fullmatch(request.sha256):
            raise invalid("BAD_VALUE", "sha256", "sha256: expected 64 hexadecimal digits")
        if not artifacts.plays_in(self._db, request.sha256, lease.series):
            raise forbidden(LEASE_REASON, "the series of this lease names no such artifact")
        with self._fetches.place(context):
            for piece in artifacts.pieces(self._db, request.sha256, CHUNK_BYTES):
                yield pb.FetchArtifactResponse(chunk=piece)

    def SayAlive(
        self, request: pb.SayAliveRequest, context: grpc.ServicerContext
    ) -> pb.SayAliveResponse:
        """Keep the sign of life with those of the arena's own processes."""
        worker = self._worker(context)
        _ids("run_id", [request.run_id])
        if request.kind not in (WOKEN, POLLING):
            raise invalid("BAD_VALUE", "kind", f"kind: expected {WOKEN} or {POLLING}")
        # Part of the id, so that no worker speaks for another or for a process of the arena.
        run = f"{worker.name}/{request.run_id}"
        if request.last:
            heartbeat.gone(self._db, run)
            return pb.SayAliveResponse()
        process = Process(
            id=run,
            kind=request.kind,
            host=_host(worker, request.slot),
            pid=request.slot.pid,
            detail=_storable(request.detail)[:MAX_DETAIL],
        )
        heartbeat.seen(self._db, process, now_utc())
        return pb.SayAliveResponse()

    def _lease(self, lease: pb.Lease, context: grpc.ServicerContext) -> pb.Lease:
        """The lease that a call names, when it was given to this very worker."""
        if not self._worker(context).holds(lease.series, lease.fence, lease.token):
            raise forbidden(LEASE_REASON, "this lease was not given to this worker")
        return lease

    def _worker(self, context: grpc.ServicerContext) -> Worker:
        shown = [str(v) for k, v in context.invocation_metadata() or () if k == TOKEN_METADATA]
        found = worker_tokens.by_token(self._db, shown[0]) if shown else None
        if found is None:
            raise unauthenticated(
                "WORKER_UNKNOWN",
                "no worker has this token; make one with: interrex worker token create NAME",
            )
        return found


def _host(worker: Worker, slot: pb.MatchSlot) -> str:
    """The machine as the arena knows it: no worker can take the name of another."""
    if not _HOST.fullmatch(slot.host):
        raise invalid("BAD_VALUE", "slot.host", "slot.host: expected 1 to 100 of a-z, 0-9, . _ -")
    return f"{worker.name}/{slot.host}"


def _collect(requests: Iterator[pb.PostOutcomeRequest]) -> bytes:
    body = bytearray()
    for request in requests:
        if request.WhichOneof("part") != "chunk":
            raise invalid("CHUNKS_ONLY", "chunk", "after the lease only chunks may follow")
        body += request.chunk
        if len(body) > MAX_OUTCOME_BYTES:
            raise invalid("TOO_LARGE", "chunk", f"chunk: at most {MAX_OUTCOME_BYTES} bytes in all")
    return bytes(body)


def _bounded(field: str, count: int) -> None:
    if count > MOST_NAMED:
        raise invalid("BAD_VALUE", field, f"{field}: expected at most {MOST_NAMED}")


def _ids(field: str, values: Iterable[str]) -> None:
    if not all(map(_ID.fullmatch, values)):
        raise invalid("BAD_VALUE", field, f"{field}: expected 32 hexadecimal digits")


def _storable(text: str) -> str:
    """Not every database takes a NUL in a text."""
    return text.replace("\0", "\ufffd")


@contextmanager
def _answering() -> Iterator[None]:
    """A database that is away is told as such: the worker tries again."""
    try:
        yield
    except WorkUnavailable as error:
        log.warning("a worker is told to try again", error=str(error))
        raise unavailable() from error
