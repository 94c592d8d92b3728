"""`python -m workers.polling`: a match slot that asks again and again, without a broker."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from arena_service.settings import Settings, SettingsError
from arena_service.work import POLLING, WorkRefused
from engine_service import logs, metrics
from engine_service.stop_signal import on_stop
from workers.sandbox.launch import SandboxRefused
from workers.sandbox.selftest import check
from workers.sandbox.staging import Runtime
from workers.slot import Slot
from workers.stopping import Stopping
from workers.wiring import find_door, open_engine

POLL_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
GRACE_SECONDS = 5.0
READY = "slot.ready"

log = logs.get_logger("interrex.slot")


def main() -> int:
    """Play until SIGTERM or SIGINT; 1 when this machine or this token may not play."""
    logs.configure_or_exit("slot")
    metrics.serve_or_exit("slot")
    parser = argparse.ArgumentParser(description="Play matches of an arena, one at a time.")
    parser.add_argument(
        "--grace",
        type=float,
        default=GRACE_SECONDS,
        help="seconds that the match in play gets to end when this process is stopped",
    )
    parser.add_argument("--run-dir", type=Path, help="a folder for this process alone")
    arguments = parser.parse_args()
    stopping = Stopping(arguments.grace)
    on_stop(stopping.ask)
    try:
        settings = Settings.from_environment()
        run_dir = arguments.run_dir or settings.run_dir
        runtime = Runtime.prepare(run_dir)
        try:
            return _serve(settings, runtime, stopping, run_dir / READY)
        finally:
            runtime.close()
    except (SandboxRefused, SettingsError, WorkRefused) as error:
        log.critical("this worker takes no matches", reason=str(error))
        return 1


def _serve(settings: Settings, runtime: Runtime, stopping: Stopping, ready: Path) -> int:
    """Ask until it is stopped; raises SandboxRefused, SettingsError and WorkRefused.

    The file `ready` will hold the pid when the arena was asked once.
    """
    report = check(runtime)
    log.info("sandbox ready", report=str(report))
    door = find_door(settings)(POLLING, f"sandbox: {report.mode}")
    slot = Slot(door.work, open_engine(settings), runtime, door.name, stopping)
    door.heartbeat.start()
    try:
        _poll(slot, stopping, ready)
    finally:
        door.heartbeat.stop()
    return 0


def _poll(slot: Slot, stopping: Stopping, ready: Path) -> None:
    pause = POLL_SECONDS
    while not stopping.is_asked:
        well = slot.drain()
        if not ready.exists():
            ready.parent.mkdir(parents=True, exist_ok=True)
            ready.write_text(str(os.getpid()))
        pause = POLL_SECONDS if well else min(2 * pause, LONGEST_PAUSE_SECONDS)
        # Slots that began together shall not ask together for ever.
        stopping.wait(pause * random.uniform(0.5, 1.0))


if __name__ == "__main__":
    sys.exit(main())
