"""What watches an arena asks for metrics that there are, at the port where they are served."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.registry import REGISTRY

import arena_service.store.metrics
import dashboard.metrics
import workers.metrics
from arena_service.status.metrics import QueueMetrics
from arena_service.store.database import open_migrated
from tests.deploy.test_files import containers, resources, services

WATCH = Path(__file__).parents[2] / "deploy" / "watch"
PORT = 9464
SUFFIXES = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
    "gauge": ("",),
}
IMPORTED = (arena_service.store.metrics, dashboard.metrics, workers.metrics)
LABELS_OF_PROMETHEUS = {"le", "instance"}


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> list[Metric]:
    """All that any process serves."""
    database = open_migrated(f"sqlite:///{tmp_path_factory.mktemp('arena') / 'arena.db'}")
    queue = CollectorRegistry()
    queue.register(QueueMetrics(database))
    found = [*REGISTRY.collect(), *queue.collect()]
    database.close()
    return found


def queries() -> Iterator[str]:
    """Of the dashboard, the alerts and the adapter."""
    board = json.loads((WATCH / "grafana" / "interrex.json").read_text())
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])
    for group in yaml.safe_load((WATCH / "alerts.yaml").read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for rule in adapter():
        yield rule["seriesQuery"]


def adapter() -> list[dict[str, Any]]:
    return list(yaml.safe_load((WATCH / "adapter.yaml").read_text())["rules"]["external"])


def test_every_query_names_a_metric_that_exists(metrics: list[Metric]) -> None:
    known = {each.name + suffix for each in metrics for suffix in SUFFIXES.get(each.type, ())}
    asked = {
        name for query in queries() for name in re.findall(r"\b(?:interrex|process)_\w+", query)
    }
    assert len(asked) > 12
    assert asked - known == set()


def test_every_metric_of_the_arena_is_on_the_dashboard(metrics: list[Metric]) -> None:
    shown = " ".join(queries())
    ours = {each.name for each in metrics if each.name.startswith("interrex_")}
    assert {name for name in ours if name not in shown} == set()


def test_every_label_is_one_of_ours() -> None:
    code = "".join(
        path.read_text()
        for folder in ("engine_service", "arena_service", "workers", "dashboard")
        for path in (WATCH.parents[1] / folder).rglob("metrics.py")
    )
    grouped = {
        label.strip()
        for query in queries()
        for found in re.findall(r"\b(?:by|on|group_left) \(([^)]*)\)", query)
        for label in found.split(",")
    }
    assert {label for label in grouped - LABELS_OF_PROMETHEUS if f'"{label}"' not in code} == set()


def test_the_dashboard_is_whole() -> None:
    board = json.loads((WATCH / "grafana" / "interrex.json").read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert len({panel["title"] for panel in board["panels"]}) == len(board["panels"])
    places = [tuple(panel["gridPos"][side] for side in "xywh") for panel in board["panels"]]
    taken = [(x + i, y + j) for x, y, w, h in places for i in range(w) for j in range(h)]
    assert len(taken) == len(set(taken)), "panels overlap"
    assert max(x for x, _ in taken) < 24


def test_every_process_is_scraped_where_it_serves() -> None:
    config = resources("ConfigMap")["interrex-addresses"]["data"]
    assert config["INTERREX_METRICS_ADDRESS"] == f"0.0.0.0:{PORT}"
    for name, container in containers().items():
        pod = resources("Deployment")[name]["spec"]["template"]["metadata"]
        assert pod["annotations"] == {
            "prometheus.io/scrape": "true",
            "prometheus.io/port": str(PORT),
        }, name
        assert {"configMapRef": {"name": "interrex-addresses"}} in container["envFrom"], name
        assert {"name": "metrics", "containerPort": PORT} in container["ports"], name
    for name, service in services().items():
        assert service["environment"]["INTERREX_METRICS_ADDRESS"] == f"0.0.0.0:{PORT}", name
    scrape = yaml.safe_load((WATCH / "prometheus.yaml").read_text())["scrape_configs"][0]
    (found,) = scrape["dns_sd_configs"]
    assert (set(found["names"]), found["port"]) == (services().keys(), PORT)


def test_the_autoscaler_asks_what_the_adapter_serves() -> None:
    scaler = resources("HorizontalPodAutoscaler")["matches"]["spec"]
    asked = {each["external"]["metric"]["name"] for each in scaler["metrics"]}
    assert asked == {rule["name"]["as"] for rule in adapter()}
