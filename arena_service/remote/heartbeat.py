"""Signs of life of a slot that holds no address of the database."""

from __future__ import annotations

from uuid import uuid4

from arena_service.pulse import Pulse
from arena_service.remote.calls import RequestRefused
from arena_service.remote.client import GrpcWork
from arena_service.work import WorkRefused, WorkUnavailable
from engine_service.logs import get_logger

FAILURES = (WorkUnavailable, WorkRefused, RequestRefused)

log = get_logger("interrex.heartbeat")


class RemoteHeartbeat:
    """Says through `work` that this slot lives; an arena that is away is told at the next beat."""

    def __init__(self, work: GrpcWork, kind: str, detail: str = "") -> None:
        """`kind` is WOKEN or POLLING."""
        self._work, self._kind, self._detail = work, kind, detail
        self._run_id = uuid4().hex
        self._pulse = Pulse(self._beat, FAILURES)

    def start(self) -> None:
        """Go on saying it from a thread of its own until `stop`."""
        self._pulse.start()

    def stop(self) -> None:
        """Say that this process ends in order; never raises for the arena's sake."""
        self._pulse.stop()
        try:
            self._work.say_alive(self._run_id, self._kind, self._detail, last=True)
        except FAILURES as error:
            log.warning("the arena could not be told that this slot ends", error=str(error))

    def _beat(self) -> None:
        self._work.say_alive(self._run_id, self._kind, self._detail)
