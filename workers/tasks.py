"""The two tasks: thin doors to the match slot and to the arena's clock."""

from __future__ import annotations

import os

from celery.signals import (
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)
from kombu.exceptions import OperationalError

from arena_service.settings import Settings
from engine_service.logs import get_logger
from workers import forked
from workers.app import CONTROL, MATCHES, app
from workers.ticking import STALE_SECONDS

log = get_logger("interrex.tasks")


@app.task(name="drain")
def drain() -> None:
    """Play assignments until there is none left."""
    forked.current().drain()


@app.task(name="tick")
def tick() -> None:
    """Let the arena's clock act, then wake as many match slots as there is work for."""
    # Ratings take half a second to load, and match slots and beat never tick.
    from workers import control

    try:
        for _ in range(control.tick(Settings.from_environment())):
            drain.apply_async(queue=MATCHES, expires=STALE_SECONDS, retry=False)
    except OperationalError as error:  # the next tick wakes them
        log.warning("no slot can be woken: the broker does not answer", error=str(error))


def _queues(worker: object) -> set[str]:
    return set(worker.app.amqp.queues.consume_from)  # type: ignore[attr-defined]


@worker_init.connect
def _prepare(sender: object, **_: object) -> None:
    """In the parent, before the slots fork: stage and test the sandbox, or end the worker."""
    forked.note_parent()
    if MATCHES in _queues(sender):
        forked.prepare(Settings.from_environment())


@worker_process_init.connect
def _open_slot(**_: object) -> None:
    forked.open_in_child(Settings.from_environment())


@worker_process_shutdown.connect
def _close_slot(**_: object) -> None:
    forked.close_child()


@worker_ready.connect
def _tell_ready(sender: object, **_: object) -> None:
    run_dir = Settings.from_environment().run_dir
    run_dir.mkdir(parents=True, exist_ok=True)
    for queue in _queues(sender) & {MATCHES, CONTROL}:
        (run_dir / f"{queue}.ready").write_text(str(os.getpid()))


@worker_shutdown.connect
def _clean_up(**_: object) -> None:
    forked.close()
