"""A match slot: one process that leases series and plays them until nothing waits."""

from __future__ import annotations

from structlog.contextvars import bound_contextvars

from arena_service.work import Assignment, Late, Work, WorkRefused, WorkUnavailable
from engine_service.client import Engine, EngineUnavailable
from engine_service.logs import get_logger
from workers.assignment import LeaseLost, play
from workers.match.clock import HostStall
from workers.metrics import LEASES
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.staging import Runtime
from workers.stopping import NEVER, Stopped, Stopping

log = get_logger("interrex.slot")


class Slot:
    """The open connections of one slot: where work comes from, who judges, where bots run."""

    def __init__(
        self,
        work: Work,
        engine: Engine,
        runtime: Runtime,
        name: str,
        stopping: Stopping = NEVER,
    ) -> None:
        """Keep the connections; they were opened after the fork."""
        self.work, self.engine, self.runtime, self.name = work, engine, runtime, name
        self.stopping = stopping

    def drain(self) -> bool:
        """Lease and play until nothing waits; False: something other than a bot failed.

        Whatever fails, the series is given back with a cause; a bug is logged with its traceback.
        An arena that does not answer ends the drain: the next one finds what its leases let go.
        Raises WorkRefused.
        """
        try:
            while not self.stopping.is_asked:
                assignment = self.work.lease(self.name)
                if assignment is None:
                    return True
                LEASES.inc()
                with bound_contextvars(
                    event_id=assignment.event or None,
                    series_id=assignment.series,
                    fence=assignment.fence,
                    worker=self.name,
                ):
                    if not self._take(assignment):
                        return False
        except WorkUnavailable as error:
            log.warning("no work: the arena does not answer", worker=self.name, error=str(error))
            return False
        return True

    def _take(self, assignment: Assignment) -> bool:
        """Play one series; False: this slot had better pause.

        Raises WorkUnavailable and WorkRefused.
        """
        log.info("series leased", matches=len(assignment.matches))
        try:
            play(assignment, self.work, self.engine, self.runtime, self.stopping)
        except Stopped as error:
            self._give_back(assignment, "operator", error)
        except LeaseLost:
            log.warning("the series is not this slot's any more: its lease ran out or it ended")
        except EngineUnavailable as error:
            self._give_back(assignment, "engine", error)
            return False
        except HostStall as error:
            late = Late(error.match_id, error.seat)
            self._give_back(assignment, "infrastructure", error, late)
        except SandboxRefused as error:
            self._give_back(assignment, "worker", error)
            return False
        except WorkUnavailable as error:
            self._give_back(assignment, "infrastructure", error)
            return False
        except WorkRefused:
            raise
        except Exception as error:
            log.exception("a bug, not a bot's fault")
            self._give_back(assignment, "worker", error)
            return False
        return True

    def _give_back(
        self, assignment: Assignment, cause: str, error: Exception, late: Late | None = None
    ) -> None:
        """Every account may read an attempt: it keeps the kind of the error, the log its text."""
        kind = type(error).__name__
        log.warning("the series is given back", cause=cause, kind=kind, error=str(error))
        self.work.fail(assignment.series, assignment.fence, cause, kind, late)
