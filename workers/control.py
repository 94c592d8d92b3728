"""What the control worker does at every tick: lost leases, due slots, webhooks, whom to wake."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from celery.signals import worker_process_shutdown

from arena_service.scheduling import slots, sweep, waking
from arena_service.settings import Settings
from arena_service.status.heartbeat import Heartbeat
from arena_service.status.metrics import QueueMetrics
from arena_service.store.database import UNAVAILABLE, Database, one_line, open_database
from arena_service.webhooks.settings import WebhookSettings
from engine_service.logs import get_logger
from engine_service.metrics import serve_or_exit
from workers.courier import Courier
from workers.metrics import STEP_FAILURES, TICK_SECONDS

STEPS: tuple[Callable[[Database, datetime], object], ...] = (
    sweep.follow_clock,
    sweep.expire_leases,
    slots.tick,
)

log = get_logger("interrex.control")


class Control:
    """The arena's clock in one process; it says that it lives when it ticks, and only then."""

    def __init__(self, database: Database, webhooks: WebhookSettings | None = None) -> None:
        """`database` was opened in this process; without `webhooks` those of the environment."""
        self._database = database
        self._courier = Courier(webhooks or WebhookSettings.from_environment())
        self._heartbeat = Heartbeat(database, "control")

    def tick(self, now: datetime) -> int:
        """Act once; returns how many wake-up tokens to send.

        No step holds up the others. A database that is locked or away ends the tick; the next one
        tries again.
        """
        try:
            with TICK_SECONDS.time():
                return self._act(now)
        except UNAVAILABLE as error:
            STEP_FAILURES.labels("database").inc()
            log.warning(
                "the database does not answer, the next tick tries again", error=one_line(error)
            )
            return 0

    def close(self) -> None:
        """This process ends in order."""
        self._heartbeat.stop()
        self._database.close()

    def _act(self, now: datetime) -> int:
        self._heartbeat.beat(now)
        for step in (*STEPS, self._courier.tick):
            self._take(step, now)
        return waking.tokens(self._database, now)

    def _take(self, step: Callable[[Database, datetime], object], now: datetime) -> None:
        try:
            step(self._database, now)
        except UNAVAILABLE:
            raise
        except Exception:
            name = step.__module__.rpartition(".")[2]
            STEP_FAILURES.labels(name).inc()
            log.exception("a step of the tick failed", step=name)


_control: Control | None = None


def tick(settings: Settings) -> int:
    """Let the clock of this process act now; its database is opened at the first tick."""
    global _control
    if _control is None:
        database = open_database(settings.database_url)
        _control = Control(database)
        QueueMetrics(database).register()
        serve_or_exit("control")
    return _control.tick(datetime.now(UTC))


@worker_process_shutdown.connect
def close(**_: object) -> None:
    """This process ends in order; one that never ticked has nothing to close."""
    if _control is not None:
        _control.close()
