"""The Celery application: content-free wake-up tokens for match slots, ticks for control.

The database is the queue (see docs/decisions/0001). A token says "look for work", nothing else,
so a lost or doubled token changes nothing.
"""

from __future__ import annotations

from celery import Celery

from arena_service.settings import Settings

MATCHES = "matches"
CONTROL = "control"
TICK_SECONDS = 1.0

app = Celery("interrex", include=["workers.tasks"])
app.conf.update(
    broker_url=Settings.from_environment().broker_url,
    broker_connection_retry_on_startup=True,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_acks_late=False,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    # Match slots fork; each child opens its own database and channel after the fork.
    worker_max_tasks_per_child=None,
    task_routes={"drain": {"queue": MATCHES}, "tick": {"queue": CONTROL}},
    # In memory: ticks carry no state, so beat needs no schedule file and no pid file.
    beat_scheduler="celery.beat:Scheduler",
    beat_max_loop_interval=TICK_SECONDS,
    beat_schedule={
        "tick": {
            "task": "tick",
            "schedule": TICK_SECONDS,
            "options": {"queue": CONTROL, "expires": 5 * TICK_SECONDS},
        }
    },
)
