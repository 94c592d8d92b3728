"""`Work` over gRPC: what a match worker without the database knows of the arena."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc

from arena_service.remote.calls import CHANNEL_OPTIONS, Caller, LeaseDenied, Manner
from arena_service.remote.messages import (
    CHUNK_BYTES,
    assignment_from_message,
    outcome_to_bytes,
)
from arena_service.work import AcceptedOutcome, Assignment, Late
from interrex.arena.v1 import work_service_pb2 as pb
from interrex.arena.v1.work_service_pb2_grpc import WorkServiceStub

LEASES_REMEMBERED = 64
LEASE = Manner(deadline=10.0, patience=5.0)
PROGRESS = Manner(deadline=5.0, patience=0.0)  # a match waits for it, and the next one is near
POST = Manner(deadline=30.0, patience=60.0)
GIVE_BACK = Manner(deadline=10.0, patience=20.0)
FETCH = Manner(deadline=60.0, patience=60.0)
SIGN = Manner(deadline=5.0, patience=0.0)


@dataclass(frozen=True)
class _Held:
    """A lease that this worker was given, and the artifacts that come with it."""

    message: pb.Lease
    artifacts: frozenset[str]


class GrpcWork:
    """The worker's side of WorkService; made after a fork, never before.

    What it leased stands in this process alone: nobody else can post for it.
    """

    def __init__(self, address: str, token: str, host: str, pid: int) -> None:
        """Connects at the first call; `host` and `pid` name the slot beside the worker's name."""
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub = WorkServiceStub(self._channel)
        self._caller = Caller(token)
        self._slot = pb.MatchSlot(host=host, pid=pid)
        self._held: OrderedDict[tuple[str, int], _Held] = OrderedDict()

    def greet(self) -> None:
        """Nothing, where the arena knows the token; raises WorkRefused or WorkUnavailable."""
        self.progress("", 0, {})

    def lease(self, worker: str) -> Assignment | None:
        """The next series; the arena knows the worker by its token, whatever `worker` says."""
        request = pb.LeaseSeriesRequest(
            slot=self._slot, held=[each.message for each in self._held.values()]
        )
        answer = self._caller.ask(LEASE, lambda **how: self._stub.LeaseSeries(request, **how))
        if not answer.HasField("assignment"):
            return None
        assignment = assignment_from_message(answer.assignment)
        self._remember(assignment, answer.assignment.lease)
        return assignment

    def progress(self, series: str, fence: int, plies: dict[str, int]) -> bool:
        """Report the ply of matches; False: the lease is lost."""
        request = pb.ReportProgressRequest(lease=self._lease(series, fence), plies=plies)
        try:
            answer = self._caller.ask(
                PROGRESS, lambda **how: self._stub.ReportProgress(request, **how)
            )
        except LeaseDenied:
            return False
        return answer.held

    def accept(self, series: str, fence: int, outcome: AcceptedOutcome) -> bool:
        """Report an ended match; True when its result stands, also when posted before."""
        lease, body = self._lease(series, fence), outcome_to_bytes(outcome)
        try:
            answer = self._caller.ask(
                POST, lambda **how: self._stub.PostOutcome(_pieces(lease, body), **how)
            )
        except LeaseDenied:
            return False
        return answer.accepted

    def fail(
        self, series: str, fence: int, cause: str, detail: str, late: Late | None = None
    ) -> None:
        """Give the unfinished matches back; this worker forgets the lease, heard or not."""
        request = pb.GiveBackRequest(
            lease=self._lease(series, fence),
            cause=cause,
            detail=detail,
            late=None if late is None else pb.LateSeat(match_id=late.match_id, seat=late.seat),
        )
        try:
            self._caller.ask(GIVE_BACK, lambda **how: self._stub.GiveBack(request, **how))
        except LeaseDenied:
            pass
        finally:
            self._held.pop((series, fence), None)

    def artifact(self, sha256: str) -> bytes:
        """The archive with this hash, of a bot in the newest series that names it."""
        request = pb.FetchArtifactRequest(lease=self._lease_with(sha256), sha256=sha256)

        def fetch(**how: Any) -> bytes:
            return b"".join(each.chunk for each in self._stub.FetchArtifact(request, **how))

        return self._caller.ask(FETCH, fetch)

    def say_alive(self, run_id: str, kind: str, detail: str, *, last: bool = False) -> None:
        """A sign of life of this slot, or its last."""
        request = pb.SayAliveRequest(
            run_id=run_id, slot=self._slot, kind=kind, detail=detail, last=last
        )
        self._caller.ask(SIGN, lambda **how: self._stub.SayAlive(request, **how))

    def close(self) -> None:
        """Close the channel."""
        self._channel.close()

    def _remember(self, assignment: Assignment, lease: pb.Lease) -> None:
        names = frozenset(sha256 for sha256, _ in assignment.artifacts.values())
        self._held[assignment.series, assignment.fence] = _Held(lease, names)
        while len(self._held) > LEASES_REMEMBERED:
            self._held.popitem(last=False)

    def _lease(self, series: str, fence: int) -> pb.Lease:
        """Without a token, which the arena refuses, when it was never given."""
        known = self._held.get((series, fence))
        return pb.Lease(series=series, fence=fence) if known is None else known.message

    def _lease_with(self, sha256: str) -> pb.Lease:
        found = (each for each in reversed(self._held.values()) if sha256 in each.artifacts)
        known = next(found, None)
        return pb.Lease() if known is None else known.message


def _pieces(lease: pb.Lease, body: bytes) -> Iterator[pb.PostOutcomeRequest]:
    yield pb.PostOutcomeRequest(lease=lease)
    for start in range(0, len(body), CHUNK_BYTES):
        yield pb.PostOutcomeRequest(chunk=body[start : start + CHUNK_BYTES])
