"""The queue and the faults, as Prometheus reads them."""

from __future__ import annotations

from datetime import timedelta

from prometheus_client import CollectorRegistry
from prometheus_client.registry import REGISTRY

from arena_service.scheduling import sweep
from arena_service.status.metrics import QueueMetrics
from arena_service.store.database import Database, open_database
from arena_service.store.leases import give_back
from arena_service.store.states import AttemptOutcome
from arena_service.store.tables import Series
from tests.arena_service.store.arena import SmallArena, lease, outcome, play_all


def gauges(db: Database) -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(QueueMetrics(db))
    found = {}
    for metric in registry.collect():
        for sample in metric.samples:
            found[sample.name + "".join(sample.labels.values())] = sample.value
    return found


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_the_queue_has_an_age_while_something_waits(database: Database) -> None:
    arena = SmallArena(database)
    assert gauges(database)["interrex_queue_age_seconds"] == 0.0
    arena.close()
    now = gauges(database)
    assert now["interrex_database_up"] == 1.0
    assert now["interrex_queue_age_seconds"] > 0.0
    assert now["interrex_serieswaiting"] == 3
    assert now["interrex_matches_waiting"] == 12
    lease(arena)
    assert gauges(database)["interrex_seriesleased"] == 1
    play_all(arena, arena.due + timedelta(hours=1))


def test_results_faults_and_lost_leases_are_counted(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    game = {"game": "three-stones"}
    results = counted("interrex_results_total", ending="timeout", **game)
    bots = counted("interrex_faults_total", cause="bot", what="timeout")
    engine = counted("interrex_faults_total", cause="engine", what="failed")
    lost = counted("interrex_lease_expiries_total")
    held = lease(arena)
    late = outcome(held.matches[0], ending="timeout", at_fault=1)
    assert arena.work().accept(held.series, held.fence, late, now=arena.due)
    arena.work().fail(held.series, held.fence, "engine", "away", now=arena.due)
    lease(arena)
    sweep.expire_leases(database, arena.due + timedelta(days=1))
    assert counted("interrex_results_total", ending="timeout", **game) == results + 1
    assert counted("interrex_faults_total", cause="bot", what="timeout") == bots + 1
    assert counted("interrex_faults_total", cause="engine", what="failed") == engine + 1
    assert counted("interrex_lease_expiries_total") == lost + 1


def test_what_is_rolled_back_is_not_counted(database: Database) -> None:
    arena = SmallArena(database)
    arena.close()
    held = lease(arena)
    lost = counted("interrex_lease_expiries_total")
    with database.write() as session:
        series = session.get_one(Series, held.series)
        assert give_back(session, series, arena.due, AttemptOutcome.EXPIRED, "worker", "")
        session.rollback()
    assert counted("interrex_lease_expiries_total") == lost


def test_a_database_that_is_away_is_told() -> None:
    away = open_database("postgresql+psycopg://nobody@127.0.0.1:9/none")
    try:
        assert gauges(away) == {"interrex_database_up": 0.0}
    finally:
        away.close()
