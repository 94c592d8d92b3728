"""A match slot: one process that leases series and plays them until nothing waits."""

from __future__ import annotations

import os
import socket
import sys

from structlog.contextvars import bound_contextvars

from arena_service.scheduling.waking import SLOTS, slot_name
from arena_service.settings import Settings
from arena_service.status.heartbeat import Heartbeat
from arena_service.store.database import open_database
from arena_service.work import Assignment, Late, Work, WorkUnavailable
from engine_service.client import Engine, EngineUnavailable
from engine_service.logs import get_logger
from workers.assignment import LeaseLost, play
from workers.lifetime import die_with_parent
from workers.match.clock import HostStall
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime
from workers.wiring import open_engine, open_work

log = get_logger("interrex.slot")

_parent = 0
_runtime: Runtime | None = None
_mode = ""
_slot: Slot | None = None
_heartbeat: Heartbeat | None = None


class Slot:
    """The open connections of one slot: where work comes from, who judges, where bots run."""

    def __init__(self, work: Work, engine: Engine, runtime: Runtime, name: str) -> None:
        """Keep the connections; they were opened after the fork."""
        self.work, self.engine, self.runtime, self.name = work, engine, runtime, name

    def drain(self) -> None:
        """Lease and play until nothing waits, or until something other than a bot fails.

        Whatever fails, the series is given back with a cause; a bug is logged with its traceback.
        An arena that does not answer ends the drain: the next token finds what its leases let go.
        """
        try:
            while (assignment := self.work.lease(self.name)) is not None:
                with bound_contextvars(
                    event_id=assignment.event or None,
                    series_id=assignment.series,
                    fence=assignment.fence,
                    worker=self.name,
                ):
                    if not self._take(assignment):
                        return
        except WorkUnavailable as error:
            log.warning("no work: the arena does not answer", worker=self.name, error=str(error))

    def _take(self, assignment: Assignment) -> bool:
        """Play one series; False: this slot had better pause. Raises WorkUnavailable."""
        log.info("series leased", matches=len(assignment.matches))
        try:
            play(assignment, self.work, self.engine, self.runtime)
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


def note_parent() -> None:
    """Called in the parent: read in a child, its pid is another one when the parent died first."""
    global _parent
    _parent = os.getpid()


def prepare(settings: Settings) -> None:
    """Stage and test the sandbox in the parent; a worker that cannot have it ends and says why."""
    global _runtime, _mode
    try:
        _runtime = Runtime.prepare(settings.run_dir)
        report = check(_runtime)
    except SandboxRefused as error:
        log.critical("this worker takes no matches", reason=str(error))
        sys.exit(1)
    _mode = report.mode
    log.info("sandbox ready", report=str(report))


def open_in_child(settings: Settings) -> None:
    """Open database and channel after the fork; the control worker has no sandbox and no slot."""
    global _slot, _heartbeat
    die_with_parent(_parent)
    if _runtime is None:
        return
    database = open_database(settings.database_url)
    name = slot_name(socket.gethostname(), os.getpid())
    _slot = Slot(open_work(settings, database), open_engine(settings), _runtime, name)
    _heartbeat = Heartbeat(database, SLOTS, f"sandbox: {_mode}")
    _heartbeat.start()


def current() -> Slot:
    """The slot of this process; only match workers have one."""
    if _slot is None:
        raise RuntimeError("a drain token reached a process that is no match slot")
    return _slot


def close_child() -> None:
    """A slot that ends in order takes its sign of life away."""
    if _heartbeat is not None:
        _heartbeat.stop()


def close() -> None:
    """Remove what was staged."""
    if _runtime is not None:
        _runtime.close()
