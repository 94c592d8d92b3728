"""The queue as Prometheus sees it, read from the database at every scrape."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import REGISTRY, Collector

from arena_service.status.queries import queue
from arena_service.status.report import Queue
from arena_service.store.database import UNAVAILABLE, Database, one_line
from arena_service.store.states import now_utc
from engine_service.logs import get_logger

log = get_logger("interrex.metrics")


class QueueMetrics(Collector):
    """Gauges of one database; while it is away only that is told."""

    def __init__(self, db: Database) -> None:
        """`db` was opened in this process."""
        self._db = db

    def register(self) -> None:
        """Be asked at every scrape of this process."""
        REGISTRY.register(self)

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing: to be registered asks no database."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges now."""
        found = self._queue()
        yield _gauge("interrex_database_up", "1: the database answers.", float(found is not None))
        if found is None:
            return
        age = found.oldest_seconds or 0.0
        yield _gauge("interrex_queue_age_seconds", "Of the oldest series that may be leased.", age)
        series = GaugeMetricFamily("interrex_series", "Series by their state.", labels=["state"])
        series.add_metric(["waiting"], found.series_waiting)
        series.add_metric(["leased"], found.series_leased)
        yield series
        waiting = found.matches_waiting
        yield _gauge("interrex_matches_waiting", "Matches that wait to be played.", waiting)

    def _queue(self) -> Queue | None:
        try:
            with self._db.read() as session:
                return queue(session, now_utc())
        except UNAVAILABLE as error:
            log.warning("the queue cannot be read", error=one_line(error))
            return None


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)
