"""The match slots of a Celery worker: the sandbox is laid out before they fork, the rest after."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from arena_service.settings import Settings
from arena_service.work import WOKEN
from engine_service.logs import get_logger
from engine_service.metrics import serve_or_exit
from workers.lifetime import die_with_parent
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime
from workers.slot import Slot
from workers.wiring import Door, OpenDoor, find_door, open_engine

log = get_logger("interrex.slot")


@dataclass(frozen=True)
class _Prepared:
    """What the slots of a worker share: a sandbox that was tested, and the way to the arena."""

    runtime: Runtime
    mode: str
    open_door: OpenDoor


_parent = 0
_prepared: _Prepared | None = None
_slot: Slot | None = None
_door: Door | None = None


def note_parent() -> None:
    """Called in the parent: read in a child, its pid is another one when the parent died first."""
    global _parent
    _parent = os.getpid()


def prepare(settings: Settings) -> None:
    """Stage and test the sandbox in the parent; a worker that cannot have it ends and says why."""
    global _prepared
    try:
        runtime = Runtime.prepare(settings.run_dir)
        report = check(runtime)
    except SandboxRefused as error:
        log.critical("this worker takes no matches", reason=str(error))
        sys.exit(1)
    _prepared = _Prepared(runtime, report.mode, find_door(settings))
    log.info("sandbox ready", report=str(report))


def open_in_child(settings: Settings) -> None:
    """Open the arena's door after the fork; the control worker has no sandbox and no slot."""
    global _slot, _door
    die_with_parent(_parent)
    if _prepared is None:
        return
    _door = _prepared.open_door(WOKEN, f"sandbox: {_prepared.mode}")
    _slot = Slot(_door.work, open_engine(settings), _prepared.runtime, _door.name)
    _door.heartbeat.start()
    serve_or_exit("slot")


def current() -> Slot:
    """The slot of this process; only match workers have one."""
    if _slot is None:
        raise RuntimeError("a drain token reached a process that is no match slot")
    return _slot


def close_child() -> None:
    """A slot that ends in order takes its sign of life away."""
    if _door is not None:
        _door.heartbeat.stop()


def close() -> None:
    """Remove what was staged."""
    if _prepared is not None:
        _prepared.runtime.close()
