"""A match slot: one process that leases series and plays them until nothing waits."""

from __future__ import annotations

import logging
import os
import socket
import sys

from arena_service.settings import Settings
from arena_service.work import Late, Work
from engine_service.client import Engine, EngineUnavailable, GrpcEngine
from workers.assignment import LeaseLost, play
from workers.lifetime import die_with_parent
from workers.match.clock import HostStall
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime
from workers.wiring import open_work

log = logging.getLogger("interrex.slot")

_runtime: Runtime | None = None
_slot: Slot | None = None


class Slot:
    """The open connections of one slot: where work comes from, who judges, where bots run."""

    def __init__(self, work: Work, engine: Engine, runtime: Runtime, name: str) -> None:
        """Keep the connections; they were opened after the fork."""
        self.work, self.engine, self.runtime, self.name = work, engine, runtime, name

    def drain(self) -> None:
        """Lease and play until nothing waits, or until something other than a bot fails.

        Whatever fails, the series is given back with a cause; a bug is logged with its traceback.
        """
        while (assignment := self.work.lease(self.name)) is not None:
            log.info("series %s fence %s", assignment.series, assignment.fence)
            try:
                play(assignment, self.work, self.engine, self.runtime)
            except LeaseLost:
                log.warning(
                    "series %s: the lease is lost, another slot plays on", assignment.series
                )
            except EngineUnavailable as error:
                self.work.fail(assignment.series, assignment.fence, "engine", str(error))
                return
            except HostStall as error:
                late = Late(error.match_id, error.seat)
                series, fence = assignment.series, assignment.fence
                self.work.fail(series, fence, "infrastructure", str(error), late)
            except SandboxRefused as error:
                self.work.fail(assignment.series, assignment.fence, "worker", str(error))
                return
            except Exception as error:
                log.exception("series %s: a bug, not a bot's fault", assignment.series)
                detail = f"{type(error).__name__}: {error}"
                self.work.fail(assignment.series, assignment.fence, "worker", detail)
                return


def prepare(settings: Settings) -> None:
    """Stage and test the sandbox in the parent; a worker that cannot have it ends and says why."""
    global _runtime
    try:
        _runtime = Runtime.prepare(settings.run_dir)
        report = check(_runtime)
    except SandboxRefused as error:
        log.critical("this worker takes no matches: %s", error)
        print(f"this worker takes no matches: {error}", file=sys.stderr)
        sys.exit(1)
    log.warning("sandbox: %s", report)


def open_in_child(settings: Settings) -> None:
    """Open database and channel after the fork; the control worker has no sandbox and no slot."""
    global _slot
    die_with_parent(os.getppid())
    if _runtime is not None:
        name = f"{socket.gethostname()}-{os.getpid()}"
        _slot = Slot(open_work(settings), GrpcEngine(settings.engine_address), _runtime, name)


def current() -> Slot:
    """The slot of this process; only match workers have one."""
    if _slot is None:
        raise RuntimeError("a drain token reached a process that is no match slot")
    return _slot


def close() -> None:
    """Remove what was staged."""
    if _runtime is not None:
        _runtime.close()
