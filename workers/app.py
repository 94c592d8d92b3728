"""The Celery application: content-free wake-up tokens for match slots, ticks for control.

The database is the queue (see docs/decisions/0001). A token says "look for work", nothing else,
so a lost or doubled token changes nothing.
"""

from __future__ import annotations

from celery import Celery
from celery.signals import after_task_publish, beat_init, celeryd_init, setup_logging

from arena_service.settings import Settings
from engine_service import logs
from engine_service.metrics import serve_or_exit
from workers.metrics import TOKENS
from workers.ticking import STALE_SECONDS, every

MATCHES = "matches"
CONTROL = "control"
TICK_SECONDS = 1.0
# At their usual level these say several times a second that a tick was sent, came and went.
QUIET = ("celery.beat", "celery.worker.strategy", "celery.app.trace")

log = logs.get_logger("interrex.workers")

app = Celery("interrex", include=["workers.tasks"])
app.conf.update(
    broker_url=Settings.from_environment().broker_url,
    broker_connection_retry_on_startup=True,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_acks_late=False,
    # Nothing to cancel without late acknowledgement; unset, Celery warns at every lost connection.
    worker_cancel_long_running_tasks_on_connection_loss=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    # The broker may be away for as long as it likes; the queue is the database.
    broker_connection_max_retries=None,
    # A slot opens its connections under load too, before it counts as stuck.
    worker_proc_alive_timeout=30.0,
    # Match slots fork; each child opens its own database and channel after the fork.
    worker_max_tasks_per_child=None,
    task_routes={"drain": {"queue": MATCHES}, "tick": {"queue": CONTROL}},
    beat_scheduler="workers.ticking:Ticker",
    beat_max_loop_interval=TICK_SECONDS,
    beat_schedule={
        "tick": {
            "task": "tick",
            "schedule": every(TICK_SECONDS),
            "options": {"queue": CONTROL, "expires": STALE_SECONDS},
        }
    },
)


@celeryd_init.connect
def _log_as_worker(sender: str, **_: object) -> None:
    """A worker is named `queue@host`."""
    logs.configure_or_exit(sender.partition("@")[0], QUIET)


@setup_logging.connect
def _log_as_beat(**_: object) -> None:
    """Celery sets up no loggers where this is answered; a worker has its own by now."""
    if not logs.is_configured():
        logs.configure_or_exit("beat", QUIET)


@beat_init.connect
def _tell_beat(**_: object) -> None:
    serve_or_exit("beat")
    log.info("ticking", seconds=TICK_SECONDS)


@after_task_publish.connect
def _count_token(sender: str, **_: object) -> None:
    TOKENS.labels(sender).inc()
